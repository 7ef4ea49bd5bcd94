import { fill, h, later, spaced, unique } from "./dom.js";
import { objectLink } from "./fields.js";
import { get } from "./gateway.js";
import { emptyElement, problemElement } from "./messages.js";
import { counted, timeElement, visible } from "./text.js";

/** Why objects were sent, merged or skipped: the newest first. */
export class LogView {
  title = "Log";
  #signal;
  #entries = [];

  constructor(studio, place, signal) {
    this.#signal = signal;
    const id = unique("search");
    this.heading = h("h1", { tabindex: "-1" }, "Log");
    this.total = h("p.total", { role: "status" });
    this.place = h("div.place");
    this.entity = h("select", { "aria-label": "Entity", onchange: () => this.#read() },
      h("option", { value: "" }, "all entities"),
      [...studio.entities.keys()].map((name) => h("option", { value: name }, visible(name))));
    this.input = h("input", { id, type: "search", placeholder: "Search", "data-search": "",
      oninput: later(100, () => this.#show()) });
    this.list = h("tbody");
    this.table = h("table.log.stacks", {}, h("thead", {},
      h("tr", {}, ["time", "of", "what"].map((word) => h("th", { scope: "col" }, word)))), this.list);
    this.nothing = h("div");
    this.element = h("div.page", {}, h("header.view-head", {}, this.heading, this.total),
      h("div.tools", { role: "search" }, h("label.hidden-label", { for: id }, "Search"), this.input, this.entity), this.place,
      h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Log entries" }, this.table), this.nothing);
    const renew = spaced(1_000, () => this.#read());
    for (const name of ["status", "changed", "again"]) studio.feed.addEventListener(name, renew, { signal });
    renew();
  }

  async #read() {
    const entity = this.entity.value ? `&entity=${encodeURIComponent(this.entity.value)}` : "";
    try {
      const { items } = await get(`/v1/log?limit=1000${entity}`, this.#signal);
      fill(this.place);
      this.#entries = items.toReversed();
      this.#show();
    } catch (problem) {
      if (problem.name !== "AbortError") fill(this.place, problemElement(problem));
    }
  }

  #show() {
    const sought = this.input.value.toLowerCase();
    const found = this.#entries.filter(({ subject, message }) => `${subject} ${message}`.toLowerCase().includes(sought));
    const words = counted(found.length, "entry", "entries");
    if (this.total.textContent !== words) this.total.textContent = words;
    const text = JSON.stringify(found);
    if (text === this.shown) return;
    this.shown = text;
    this.table.hidden = !found.length;
    fill(this.list, found.map(({ time, subject, message }) => h("tr", {}, h("td.time", {}, timeElement(time)),
      h("td", {}, subject.includes("/") ? objectLink(subject) : h("bdi", {}, visible(subject))),
        h("td", {}, h("bdi", {}, visible(message))))));
    fill(this.nothing, found.length ? [] : emptyElement("Nothing here", sought ? "No entry has this text."
      : "Nothing has been sent or merged yet."));
  }

  focus() {
    this.heading.focus();
  }
}
