// The form of a new campaign works without this. It adds: rows without a new page, a count while one types, and a look
// at a file as soon as it is chosen.
"use strict";

const making = document.getElementById("making");
const count = document.getElementById("count");

// Another row: a copy of the last one, emptied.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-adds]");
  if (!button) return;
  const rows = document.querySelector(`[data-rows="${button.dataset.adds}"]`);
  const all = rows.querySelectorAll(".row");
  const last = all[all.length - 1];
  const added = last.cloneNode(true);
  const before = `${button.dataset.adds}.${all.length - 1}`;
  const now = `${button.dataset.adds}.${all.length}`;
  added.id = `field-${now}`;
  for (const part of added.querySelectorAll("[id], [for]")) {
    for (const name of ["id", "for"]) {
      if (part.hasAttribute(name)) part.setAttribute(name, part.getAttribute(name).replace(before, now));
    }
  }
  for (const label of added.querySelectorAll("label")) {
    label.classList.add("unseen");
    const words = label.querySelector(".unseen");
    if (words) words.textContent = words.textContent.replace(/\d+$/, String(all.length + 1));
  }
  for (const input of added.querySelectorAll("input")) {
    input.value = "";
    for (const name of ["placeholder", "aria-invalid", "aria-describedby", "data-focus"]) input.removeAttribute(name);
  }
  rows.append(added);
  added.querySelector("input").focus();
  event.preventDefault();
});

// How many settings there would be.
let waiting;
let asked = 0;
async function tally() {
  const typed = new FormData(making);
  typed.delete("candidates");
  const mine = ++asked;
  try {
    const answer = await fetch("/new/count", { method: "POST", body: typed });
    const said = answer.ok ? (await answer.json()).words : "";
    if (mine === asked) count.textContent = said;
  } catch {
    count.textContent = "";
  }
}
making.addEventListener("input", (event) => {
  if (!/^(parameters\.|where$)/.test(event.target.name)) return;
  clearTimeout(waiting);
  waiting = setTimeout(tally, 400);
});
if ([...making.querySelectorAll('[name="parameters.levels"]')].some((one) => one.value)) tally();

// A file is looked at as soon as it is chosen, if it is not too large to be sent.
document.getElementById("candidates").addEventListener("change", (event) => {
  const file = event.target.files[0];
  if (!file) return;
  const most = Number(making.dataset.most);
  event.target.setCustomValidity(file.size > most ? `A file may have ${most.toLocaleString("en")} bytes.` : "");
  if (event.target.reportValidity()) making.requestSubmit(making.querySelector('button[value="look"]'));
});
