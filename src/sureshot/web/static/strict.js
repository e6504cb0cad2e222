// Before Plotly's script: what it would do against the Content-Security-Policy, it does in a way that is allowed. Styles
// of SVG elements are set as properties, not as attributes; and a style element (for maps, which nobody draws here) is
// left out.
"use strict";

const setAttribute = SVGElement.prototype.setAttribute;
SVGElement.prototype.setAttribute = function (name, value) {
  if (name === "style") this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const append = document.head.appendChild;
document.head.appendChild = (node) => (node.tagName === "STYLE" ? node : append.call(document.head, node));
