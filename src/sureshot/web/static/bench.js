// The bench works without this. With it, a form is sent in the background: if the server can't be reached the page says
// so and keeps what was typed; and a press that comes again is recorded once, for the server knows its trial or its key.
"use strict";

const said = document.getElementById("said");
function say(words, away = false) {
  if (!said) return;
  said.textContent = words;
  said.classList.toggle("away", away);
  if (away) said.scrollIntoView({ block: "nearest" });
}
// A page that was just loaded says what was recorded to a screen reader, too.
if (said && said.textContent.trim()) {
  const words = said.textContent;
  setTimeout(() => { said.textContent = ""; said.textContent = words; }, 100);
}

function release(form) {
  delete form.dataset.sent;
  form.removeAttribute("aria-busy");
}

// After the server was started again, its forms carry another secret: take it from a fresh page, and keep what was typed.
async function renewSecret() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("input[name=form]");
  if (!fresh) return false;
  for (const field of document.querySelectorAll("input[name=form]")) field.value = fresh.value;
  return true;
}

async function send(form, button, renewed = false) {
  const fields = new URLSearchParams(new FormData(form));
  if (button && button.name) fields.append(button.name, button.value);
  const to = (button && button.getAttribute("formaction")) || form.getAttribute("action");
  say(form.dataset.send);
  const slow = setTimeout(() => say(`${form.dataset.send} The server has not answered yet.`), 10000);
  try {
    const answer = await fetch(to, { method: "POST", body: fields, credentials: "same-origin" });
    if (answer.redirected && answer.ok) {
      location.assign(answer.url);
      return;
    }
    if (answer.status === 403 && !renewed && await renewSecret()) {
      await send(form, button, true);
      return;
    }
    if (answer.status >= 500) {
      say("The server could not do this now. What you typed is kept: press again, and the page will say whether it was recorded.", true);
      release(form);
      return;
    }
    // It was refused and nothing was recorded: sent again by the browser itself, the page that says why is shown.
    if (button && button.name) {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = button.name;
      field.value = button.value;
      form.append(field);
    }
    form.setAttribute("action", to);
    HTMLFormElement.prototype.submit.call(form);
  } catch {
    say("The server can't be reached. What you typed is kept: press again when it is back. Nothing is recorded twice, and the page will say whether it was recorded.", true);
    release(form);
  } finally {
    clearTimeout(slow);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.submitter && event.submitter.hasAttribute("data-downloads")) setTimeout(() => release(form), 1500); // the page stays
  if (form.dataset.busy && !form.dataset.sent) say(form.dataset.busy);
  if (!form.dataset.send || form.dataset.sent) return;
  event.preventDefault();
  send(form, event.submitter);
});

for (const button of document.querySelectorAll("[data-prints]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
