// What was still being worked out when the page was shown is put in its place when it is there. Nothing else on the page
// changes; without this script one looks again by a link.
"use strict";

const FIRST = 1000, LONGEST = 10000, MOST = 100;  // milliseconds between two looks, and how many looks

async function look() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (answer.status >= 500) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function put(part, found) {
  if (!found && part.dataset.later === "page") {
    location.reload();
  } else if (!found) {  // logged out, or another state of the campaign: what is typed elsewhere on the page stays
    delete part.dataset.later;
  } else if (!("later" in found.dataset)) {
    const here = part.contains(document.activeElement);
    part.replaceChildren(...found.childNodes);
    delete part.dataset.later;
    if (here) {
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
    }
  }
}

(async () => {
  let wait = FIRST;
  for (let looks = 0; looks < MOST && document.querySelector("[data-later]"); wait = Math.min(1.5 * wait, LONGEST)) {
    await new Promise((done) => setTimeout(done, wait));
    if (document.hidden) continue;
    looks += 1;
    try {
      const page = await look();
      for (const part of document.querySelectorAll("[data-later]")) put(part, page.getElementById(part.id));
    } catch {
      // the server is away: looked for again later
    }
  }
})();
