import { fill, h } from "./dom.js";
import { icon, mark } from "./icons.js";
import { here, link } from "./router.js";
import { SyncBar } from "./sync-bar.js";
import { count, visible } from "./text.js";

const decisions = [
  ["conflicts", "Conflicts", "conflict", "conflicted"], ["rejected", "Refusals", "refuse", "rejected"],
  ["unknown", "In doubt", "doubt", "unknown"], ["waiting", "Waiting", "clock", "changed"],
];
const keys = [
  ["/", "search"], ["?", "show the keys"], ["n", "a new object, in a table"], ["↑ ↓ ← →", "move in a table"],
  ["Page Up, Page Down", "move by a page"], ["Home, End", "the first and the last column"],
  ["Ctrl Home, Ctrl End", "the first and the last row"], ["Enter", "open the row; sort by the heading"],
  ["Ctrl Enter", "save, send again, decide as chosen; in a field of one line Enter does, too"], ["Alt N", "null, in a field; and back"], ["Escape", "close what is open"],
];

/** What stands around every view. */
export class Shell {
  #studio;
  #links = [];

  constructor(studio) {
    this.#studio = studio;
    this.bar = new SyncBar(studio);
    this.main = h("main", { id: "main" });
    this.menu = h("button.plain.menu", {
      type: "button", "aria-label": "Menu", "aria-expanded": "false", "aria-controls": "side", onclick: () => this.#toggleMenu(),
    }, icon("menu"));
    this.side = h("nav.sidebar", {
      id: "side", "aria-label": "Studio", onfocusout: ({ relatedTarget }) => this.#leaveMenu(relatedTarget),
    }, this.#brand(), this.#entityLinks(),
      this.#decisionLinks(), h("span.gap"), this.#lastLinks());
    this.help = this.#helpElement();
    this.element = h("div.app", {}, h("a.skip", { href: "#main", onclick: (event) => this.#skip(event) }, "To the content"),
      this.side,
      h("div.stage", { onpointerdown: () => this.#toggleMenu(false) }, h("header.bar", {}, this.menu, this.bar.element), this.bar.progress, this.bar.sign, this.bar.reports,
        this.main),
      this.help);
    studio.addEventListener("status", () => this.#count());
    studio.addEventListener("said", ({ detail }) => this.#say(detail));
    this.#count();
  }

  #skip(event) {
    event.preventDefault();
    (this.main.querySelector("h1, h2") ?? this.main).focus();
  }

  #brand() {
    return h("div.brand", {}, mark(), h("div", {}, h("strong", {}, "Studio"),
      h("span", {}, h("bdi", {}, visible(this.#studio.about.name)))));
  }

  #link(parts, sign, word, state) {
    const number = h("span.tally");
    const element = h("a.side-link", { href: link(parts) }, icon(sign), h("bdi.word", {}, word), number);
    this.#links.push({ element, number, parts, state });
    return h("li", {}, element);
  }

  #entityLinks() {
    return [h("h2.side-head", {}, "Objects"), h("ul", {}, [...this.#studio.entities.keys()].map((name) =>
      this.#link(["objects", name], "table", visible(name), { entity: name })))];
  }

  #decisionLinks() {
    return [h("h2.side-head", {}, "To decide and to send"),
      h("ul", {}, decisions.map(([view, word, sign, state]) => this.#link([view], sign, word, state)))];
  }

  #lastLinks() {
    const help = h("button.side-link", { type: "button", onclick: () => this.showHelp() }, icon("keys"),
      h("span.word", {}, "Keys"));
    return h("ul", {}, this.#link(["log"], "clock", "Log"), this.#link(["check"], "check", "Check"),
      this.#link(["settings"], "settings", "Settings"), h("li", {}, help));
  }

  #count() {
    for (const { element, number, state } of this.#links) {
      if (!state) continue;
      const total = state.entity ? this.#studio.status.entities[state.entity]?.objects ?? 0 : this.#studio.total(state);
      const text = total || state.entity ? count(total) : "";
      if (number.textContent !== text) number.textContent = text;
      element.classList.toggle("calls", Boolean(total) && !state.entity && state !== "changed");
    }
  }

  /** Marks the link of the view that is shown. */
  showPlace() {
    const { parts } = here();
    for (const { element, parts: own } of this.#links) {
      if (own.every((part, index) => parts[index] === part)) element.setAttribute("aria-current", "page");
      else element.removeAttribute("aria-current");
    }
    this.#toggleMenu(false);
  }

  #toggleMenu(isOpen = !this.side.classList.contains("open")) {
    this.side.classList.toggle("open", isOpen);
    this.menu.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.side.querySelector("a").focus();
  }

  /** The menu does not stay over what has the focus. */
  #leaveMenu(target) {
    if (target && !this.side.contains(target) && !target.closest("dialog")) this.#toggleMenu(false);
  }

  /** Closes the menu of a narrow window. @returns {boolean} whether it was open */
  closeMenu() {
    if (!this.side.classList.contains("open")) return false;
    this.#toggleMenu(false);
    this.menu.focus();
    return true;
  }

  #say(text) {
    fill(this.bar.said, h("p", { title: visible(text) }, visible(text)));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => fill(this.bar.said), 6_000);
  }

  #helpElement() {
    const dialog = h("dialog.dialog", { "aria-labelledby": "keys" }, h("h2", { id: "keys" }, "Keys"),
      h("dl.keys", {}, keys.map(([key, word]) =>
        [h("dt", {}, key.split(", ").map((each) => h("kbd", {}, each))), h("dd", {}, word)])),
      h("div.row.end", {}, h("button.button.primary", { type: "button", onclick: () => dialog.close() }, "Close")));
    return dialog;
  }

  /** Shows what the keys do. */
  showHelp() {
    if (!this.help.open) this.help.showModal();
  }
}
