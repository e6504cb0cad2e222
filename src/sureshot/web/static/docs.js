// The description of the API, shown. Nothing is asked of any other server.
"use strict";
SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#swagger",
  validatorUrl: null,
  deepLinking: false,  // its links would stand inside buttons
  tryItOutEnabled: false,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
});
