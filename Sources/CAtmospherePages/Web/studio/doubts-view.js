import { CardsView } from "./cards-view.js";
import { fill, h, unique } from "./dom.js";
import { objectLink } from "./fields.js";
import { ask, divided, get, objectPath } from "./gateway.js";
import { same } from "./json.js";
import { confirmed, problemElement } from "./messages.js";
import { nameElement } from "./names.js";
import { timeElement, valueElement, visible } from "./text.js";

/** Changes that were sent and whose answer was lost. */
export function doubtsView(studio, place, signal) {
  return new CardsView(studio, place, signal, {
    title: "In doubt", path: "/v1/unknown", one: "change in doubt",
    intro: "These were sent, and no answer came: the server may have done them, or not. If it has, say as which object; if not, "
      + "send them again.",
    empty: ["Nothing in doubt", "Every change that was sent has its answer."],
    make: (item, ending) => new DoubtCard(studio, item, ending),
  });
}

class DoubtCard {
  #studio;
  #item;
  #signal;

  constructor(studio, item, signal) {
    this.#studio = studio;
    this.#signal = signal;
    const id = unique("doubt");
    this.words = h("div");
    this.place = h("div.place");
    this.candidates = h("div.candidates");
    this.foot = h("footer.card-foot", { hidden: studio.isReadOnly }, this.#buttons());
    this.element = h("article.card", { "aria-labelledby": id, "data-uri": item.uri },
      h("header.card-head", {},
        h("h2", { id, tabindex: "-1" }, nameElement(item.uri, item.sent ?? undefined), objectLink(item.uri))),
      this.words, this.candidates, this.place, this.foot);
    this.renew(item);
  }

  /** It is this by now; an identifier that is written stays. */
  renew(item) {
    this.#item = item;
    fill(this.words,
      item.message && h("p.words", {}, h("bdi", {}, visible(item.message))),
      item.isAutomatic && h("p.quiet-words", {}, "The next push finds out by itself what became of it."),
      item.retryAt && h("p.quiet-words", {}, "Not before ", timeElement(item.retryAt)),
      item.upload && h("p", {}, "It was the file ", h("bdi", {}, visible(item.upload.file)), "."));
    this.adopter.hidden = Boolean(item.upload);
    this.#showCandidates();
  }

  #buttons() {
    const make = (word, run, kind = "button.button") => h(kind, { type: "button", "data-decide": word, onclick: run }, word);
    const id = unique("adopt");
    const input = h("input", { id, placeholder: "identifier", autocomplete: "off" });
    this.adopter = h("form.row", { onsubmit: (event) => {
      event.preventDefault();
      if (input.value) this.#adopt(input.value);
    } }, h("label.hidden-label", { for: id }, "Identifier that the server gave it"), input,
      h("button.button", { type: "submit" }, "It is this one"));
    return [make("Discard", () => this.#discard(), "button.button.grave-quiet"), h("span.gap"), this.adopter,
      make("Send it again", () => this.#resend())];
  }

  async #showCandidates() {
    const { candidates, sent } = this.#item;
    if (!sent) return fill(this.candidates);
    const records = await Promise.all(candidates.slice(0, 12).map(async (uri) => {
      const record = await get(objectPath(uri), this.#signal).catch(() => null);
      return [uri, record];
    }));
    if (this.#signal.aborted || candidates !== this.#item.candidates) return undefined;
    // A temporary identifier is like no other.
    const { readonly } = this.#studio.entities.get(divided(this.#item.uri)[0]);
    const names = Object.keys(sent).filter((name) => !readonly.includes(name));
    const hadFocus = this.candidates.contains(document.activeElement);
    fill(this.candidates, h("div.scroll", { tabindex: "0", role: "region",
      "aria-label": `What was sent, and what it may be: ${this.#item.uri}` },
      h("table.compare.stacks", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "member"), h("th", { scope: "col" }, "what was sent"),
          records.map(([uri]) => h("th", { scope: "col" }, objectLink(uri))))),
        h("tbody", {}, names.map((name) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, visible(name))),
          h("td", { "data-of": "what was sent" }, valueElement(sent[name], 300)),
          records.map(([uri, record]) => h(same(record?.[name], sent[name]) ? "td.alike" : "td.unlike",
            { "data-of": visible(uri) }, valueElement(record?.[name], 300)))))),
        records.length > 0 && !this.#studio.isReadOnly
          && h("tfoot", {}, h("tr", {}, h("td"), h("td"), records.map(([uri]) => h("td", { "data-of": visible(uri) },
          h("button.button.primary.small", { type: "button", "data-adopt": uri, onclick: () => this.#adopt(divided(uri)[1]) },
            "It is this one"))))))),
    !records.length && h("div.row", {}, h("p.quiet-words", {}, "No object here looks like it."), !this.#studio.isReadOnly
      && h("button.button.small", { type: "button", "data-pull": "", onclick: () => this.#pull() }, "Pull and look again")));
    if (hadFocus) (this.candidates.querySelector("button") ?? this.element.querySelector("h2")).focus();
    return undefined;
  }

  /** A pull may bring what it has become. */
  #pull() {
    const { uri } = this.#item;
    return this.#try(async () => {
      const { value } = await ask("POST", "/v1/pull", { value: { entities: [divided(uri)[0]] } });
      if (value.problems.length) throw new Error(value.problems.map(({ message }) => message).join("\n"));
      const item = (await get("/v1/unknown")).items.find((each) => each.uri === uri);
      if (item) this.renew(item);
      return item?.candidates.length === 0 ? "Pulled: nothing came that looks like it." : "Pulled: look at what came.";
    });
  }

  #adopt(id) {
    return this.#resolve({ decision: "adopt", adopt: id }, `${this.#item.uri} is ${id} on the server.`);
  }

  async #resend() {
    const isSure = await confirmed({
      title: "Send it again?", yes: "Send again",
      text: "If the server has done it already, it is done twice. Send it again only if it has not.",
    });
    if (isSure) await this.#resolve({ decision: "resend" }, "The next push sends it again.");
  }

  async #discard() {
    const isSure = await confirmed({
      title: "Discard it?", yes: "Discard", no: "Keep", isGrave: true,
      text: "It is dropped here. If the server has done it, the next pull brings what it has.",
    });
    if (isSure) await this.#try(() => ask("POST", objectPath(this.#item.uri, "discard")), "Discarded here.");
  }

  #resolve(decision, words) {
    return this.#try(() => ask("POST", objectPath(this.#item.uri, "resolve"), { value: decision }), words);
  }

  /** @param {string} [words] what is said then; else what the work gives */
  async #try(work, words) {
    fill(this.place);
    try {
      const done = await work();
      this.#studio.say(words ?? done);
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
  }
}
