// The pages work without this. It adds: one press counts once, copying, and nothing else that a person must rely on.
"use strict";

// A form is sent once: a second press while it is on its way does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  form.setAttribute("aria-busy", "true");
});
// Coming back with the browser's button, forms can be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    form.removeAttribute("aria-busy");
  }
});

// A button that copies the text of another element.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const words = document.getElementById(button.dataset.copies).innerText.replaceAll("\u00a0", " ").trim();
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(words);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not possible here";
  }
  setTimeout(() => { button.textContent = before; }, 2000);
});
for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;

// Focus goes to what is new.
const focused = document.querySelector("[data-focus]");
if (focused) focused.focus({ preventScroll: false });
