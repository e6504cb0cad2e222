// Draws the pictures of a page with Plotly, each as its data arrives; and shows one alternative in table and picture at
// once. Without this script the page has images instead.
"use strict";

const looks = { displaylogo: false, displayModeBar: false, responsive: true, showSendToCloud: false };

async function draw(figure) {
  const place = figure.querySelector(".drawn");
  const below = figure.querySelector("figcaption");
  const waiting = figure.querySelector(".waiting");
  try {
    const answer = await fetch(figure.dataset.chart, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const found = await answer.json();
    place.hidden = false;
    const height = found.figure.layout.height;
    if (height) place.style.height = `${height}px`;  // else a window of another width would give it its least height
    await Plotly.newPlot(place, found.figure.data, found.figure.layout, looks);
    const words = [found.title, found.note].filter(Boolean).join(". ").replaceAll("?.", "?");
    below.textContent = words;
    below.hidden = !words;
    if (found.note) place.setAttribute("aria-label", words);
    waiting.remove();
    if (figure.scrollWidth > figure.clientWidth) {  // wider than the window: the keyboard can move it, too
      figure.tabIndex = 0;
      figure.setAttribute("role", "group");
      figure.setAttribute("aria-label", words || place.getAttribute("aria-label"));
    }
    if ("linked" in figure.dataset) link(place);
  } catch (error) {
    waiting.textContent = "The picture could not be loaded. Load the page again to try once more.";
  }
}

// Where each alternative stands in a picture.
function known(place) {
  const found = new Map();
  for (const trace of place.data || []) {
    if (!trace.customdata) continue;
    Array.from(trace.customdata).forEach((one, i) => {
      if (trace.type !== "heatmap") found.set(String(one), { x: trace.x[i], y: trace.y[i] });
      else Array.from(one).forEach((alternative, j) => found.set(String(alternative), { x: j, y: i }));
    });
  }
  return found;
}

// A ring round a place, of the same size whatever the picture's.
function ring({ x, y }) {
  const wide = { x0: -20, x1: 20, y0: -20, y1: 20, xsizemode: "pixel", ysizemode: "pixel", xanchor: x, yanchor: y };
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--failed").trim();
  return { type: "circle", xref: "x", yref: "y", ...wide, line: { color: colour, width: 4 } };
}

function link(place) {
  const rows = new Map();
  for (const row of document.querySelectorAll("tr[data-alternative]")) {
    rows.set(row.dataset.alternative, row);
    row.tabIndex = 0;
  }
  const points = known(place);
  const mark = (alternative) => {
    for (const [name, row] of rows) row.classList.toggle("same", name === alternative);
  };
  const show = (alternative) => {
    mark(alternative);
    const at = points.get(alternative);
    Plotly.relayout(place, { shapes: at ? [ring(at)] : [] });
  };
  const hide = () => {
    mark(null);
    Plotly.relayout(place, { shapes: [] });
  };
  for (const [alternative, row] of rows) {
    row.addEventListener("mouseenter", () => show(alternative));
    row.addEventListener("focus", () => show(alternative));
    row.addEventListener("mouseleave", hide);
    row.addEventListener("blur", hide);
  }
  place.on("plotly_hover", (event) => {
    const one = event.points && event.points[0] && event.points[0].customdata;
    mark(one === undefined || one === null ? null : String(one));
  });
  place.on("plotly_unhover", () => mark(null));
}

// On paper a picture is as wide as the sheet, A4 or Letter, between its margins; afterwards as wide as the window again.
const SHEET = 670;
const plots = () => document.querySelectorAll(".drawn.js-plotly-plot");
window.addEventListener("beforeprint", () => plots().forEach((one) => Plotly.relayout(one, { autosize: false, width: SHEET })));
window.addEventListener("afterprint", () => plots().forEach((one) => Plotly.relayout(one, { autosize: true, width: null })));

// One after the other, in the order of the page: the server answers a campaign's questions one at a time.
(async () => {
  const figures = document.querySelectorAll("[data-chart]");
  for (const figure of figures) {
    const waiting = document.createElement("p");
    waiting.className = "waiting";
    waiting.textContent = "The picture is being drawn.";
    figure.prepend(waiting);
  }
  for (const figure of figures) await draw(figure);
})();
