import { fill, h, later, unique } from "./dom.js";
import { ask, get } from "./gateway.js";
import { problemElement } from "./messages.js";
import { link } from "./router.js";
import { counted, timeElement, visible } from "./text.js";

/** The settings of the route file, or those of an entity, each with the place that it comes from, and who is signed in. */
export class SettingsView {
  title = "Settings";
  #studio;
  #signal;
  #entity;
  #settings = [];

  constructor(studio, place, signal) {
    this.#studio = studio;
    this.#signal = signal;
    this.#entity = studio.entities.get(place.parts[1]) ?? null;
    const id = unique("search");
    this.heading = h("h1", { tabindex: "-1" }, "Settings");
    this.total = h("p.total", { role: "status" });
    this.place = h("div.place");
    this.input = h("input", { id, type: "search", placeholder: "Search", "data-search": "",
      oninput: later(100, () => this.#show()) });
    this.own = h("input", { id: unique("own"), type: "checkbox", onchange: () => this.#show() });
    this.list = h("tbody");
    this.account = h("section.account", { "aria-label": "Account", hidden: true });
    this.element = h("div.page", {}, h("header.view-head", {}, this.heading, this.total),
      h("p.intro", {}, `The route file of “${visible(studio.about.name)}”: every setting in force, and where it comes from. `,
        h("a", { href: link(["check"]) }, "Is the server what it says?")), this.account,
      h("nav.pills", { "aria-label": "Parts of the route file" },
        h("a", { href: link(["settings"]), "aria-current": !this.#entity && "page" }, "for all"),
        [...studio.entities.keys()].map((name) => h("a", {
          href: link(["settings", name]), "aria-current": name === this.#entity?.name && "page",
        }, visible(name)))),
      this.place, this.#entity && this.#abilities(),
      h("div.tools", { role: "search" }, h("label.hidden-label", { for: id }, "Search"), this.input,
        h("label.check", { for: this.own.id }, this.own, "written in the route file")),
      h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Table of settings" }, h("table.settings.stacks", {},
        h("thead", {}, h("tr", {}, ["setting", "value", "origin"].map((word) => h("th", { scope: "col" }, word)))), this.list)));
    this.#read();
    this.#showAccount();
    studio.feed.addEventListener("signIn", () => this.#showAccount(), { signal });
  }

  /** The settings of an entity are known; those that are of none are asked for. */
  async #read() {
    if (this.#entity) return this.#take(this.#entity.settings);
    try {
      const { items } = await get("/v1/settings", this.#signal);
      return this.#take(items.filter(({ path }) => !path.startsWith("resources.")));
    } catch (problem) {
      if (problem.name !== "AbortError") fill(this.place, problemElement(problem, { again: () => this.#read() }));
      return undefined;
    }
  }

  #take(settings) {
    fill(this.place);
    this.#settings = settings;
    this.#show();
  }

  #abilities() {
    const entity = this.#entity;
    const words = { lists: "list", creates: "create", updates: "edit", deletes: "delete" };
    const can = Object.keys(words).filter((name) => entity[name]).map((name) => words[name]);
    const list = (values) => values.map((value) => h("code", {}, visible(value)));
    const facts = [["can", can.join(", ") || "nothing"],
      ["parents", list(entity.parents.map(({ entity: name, field }) => `${name}: ${field}`))],
      ["read only", list(entity.readonly)], ["actions", list(entity.actions.map(({ name }) => name))],
      ["views", list(entity.views.map(({ name }) => name))], ["contents", list(entity.attachments.map(({ name }) => name))]];
    return h("dl.facts.wide", {}, facts.filter(([, value]) => value.length).map(([name, value]) =>
      [h("dt", {}, name), h("dd", {}, value)]));
  }

  #show() {
    const sought = this.input.value.toLowerCase();
    const prefix = this.#entity ? `resources.${this.#entity.name}.` : "";
    const shown = this.#settings.filter(({ path, value, origin }) =>
      `${path} ${value} ${origin}`.toLowerCase().includes(sought) && (!this.own.checked || isOwn(origin)));
    this.total.textContent = counted(shown.length, "setting");
    fill(this.list, shown.map(({ path, value, origin }) => h("tr", {},
      h("th", { scope: "row" }, h("code", {}, visible(path.startsWith(prefix) ? path.slice(prefix.length) : path))),
      h("td", {}, h("code", {}, visible(value))),
      h("td", {}, h(isOwn(origin) ? "span.origin.own" : "span.origin", {}, visible(origin))))));
  }

  // Who is signed in

  async #showAccount() {
    try {
      const { state } = await get("/v1/sign-in");
      this.account.hidden = state === null;
      if (state === null) return;
      fill(this.account, h("p", {}, state.signedIn === false ? "Nobody is signed in. " : "Signed in. ",
        state.expires && ["The token lasts until ", timeElement(state.expires), ". "],
        state.scope && h("code", {}, visible(String(state.scope)))),
      !this.#studio.isReadOnly && h("div.row", {},
        h("button.button", { type: "button", onclick: () => this.#try(() => ask("POST", "/v1/sign-in")) }, "Sign in"),
        h("button.button", { type: "button", onclick: () => this.#try(() => ask("DELETE", "/v1/sign-in")) }, "Sign out")));
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
  }

  async #try(work) {
    fill(this.place);
    try {
      const { value } = await work();
      if (typeof value?.problem === "string") fill(this.place, problemElement(new Error(value.problem)));
      await this.#showAccount();
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
  }

  focus() {
    this.heading.focus();
  }
}

function isOwn(origin) {
  return /:\d+:\d+$/.test(origin);
}
