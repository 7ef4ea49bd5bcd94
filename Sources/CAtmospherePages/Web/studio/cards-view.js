import { arrange, fill, h, spaced } from "./dom.js";
import { get } from "./gateway.js";
import { icon } from "./icons.js";
import { write } from "./json.js";
import { emptyElement, problemElement } from "./messages.js";
import { count, counted } from "./text.js";

/** Cards at a time. */
const most = 50;

/**
 * A list of things that a person decides, one card for each. What is chosen and written in a card stays
 * in it: where what it is about changes, the card takes that; where nothing is to decide any more, it waits until what is written
 * is dropped.
 */
export class CardsView {
  #signal;
  #path;
  #make;
  #words;
  #cards = new Map();
  #first;

  /**
   * @param {import("./studio.js").Studio} studio
   * @param {{parts: string[]}} place behind the view's name the object to show first
   * @param {AbortSignal} signal ends the view
   * @param {{title: string, path: string, one: string, intro: string, empty: [string, string],
   *   make: (item: any, signal: AbortSignal) => {element: HTMLElement, isEdited?: boolean, renew: (item: any) => void},
   *   tools?: HTMLElement[]}} parts
   */
  constructor(studio, place, signal, { title, path, one, intro, empty, make, tools = [] }) {
    this.#signal = signal;
    this.#path = path;
    this.#make = make;
    this.#words = { one, empty };
    this.#first = place.parts[1];
    this.title = title;
    this.heading = h("h1", { tabindex: "-1" }, title);
    this.total = h("p.total", { role: "status" });
    this.place = h("div.place");
    // A card tells `decided` when what was written in it is done.
    this.list = h("div.cards", { ondecided: () => this.read() });
    this.more = h("p.quiet-words");
    this.element = h("div.page", {}, h("header.view-head", {}, this.heading, this.total, h("span.gap"), tools),
      h("p.intro", {}, intro), this.place, this.list, this.more);
    const renew = spaced(300, () => this.read());
    for (const name of ["status", "changed", "again"]) studio.feed.addEventListener(name, renew, { signal });
    this.read();
  }

  async read() {
    try {
      const { items } = await get(this.#path, this.#signal);
      if (this.#signal.aborted) return;
      fill(this.place);
      this.#show(items);
    } catch (problem) {
      if (problem.name !== "AbortError") fill(this.place, problemElement(problem, { again: () => this.read() }));
    }
  }

  #show(items) {
    const kept = new Map();
    for (const item of items.slice(0, most)) {
      const text = write(item);
      const known = this.#cards.get(item.uri) ?? this.#made(item);
      if (known.text && known.text !== text) known.card.renew(item);
      known.text = text;
      known.over.hidden = true;
      kept.set(item.uri, known);
    }
    const cards = [...kept];
    for (const [index, [uri, card]] of [...this.#cards].entries()) {
      if (kept.has(uri) || !card.card.isEdited) continue;
      card.over.hidden = items.some((item) => item.uri === uri);
      cards.splice(index, 0, [uri, card]);
    }
    const before = [...this.#cards.values()];
    this.#cards = new Map(cards);
    const elements = cards.map(([, card]) => card.element);
    const focused = before.find(({ element }) => !elements.includes(element) && element.contains(document.activeElement));
    arrange(this.list, elements.length ? elements : [emptyElement(...this.#words.empty)]);
    const more = items.length - most;
    this.more.textContent = more > 0 ? `… and ${count(more)} more, which follow as these are decided.` : "";
    const words = items.length ? counted(items.length, this.#words.one) : "";
    if (this.total.textContent !== words) this.total.textContent = words;
    // The card with the focus was decided: the next one has it.
    if (focused) (elements[0]?.querySelector("h2") ?? this.heading).focus();
    this.#showFirst();
  }

  #made(item) {
    const card = this.#make(item, this.#signal);
    const over = h("div.notice", { hidden: true, role: "status" }, icon("alert"),
      h("span", {}, "Nothing is to be decided here any more. What you have written stays until you drop it."),
      h("button.button.small", { type: "button", onclick: () => this.#drop(item.uri) }, "Drop it"));
    card.element.prepend(over);
    return { card, over, element: card.element };
  }

  #drop(uri) {
    this.#cards.get(uri).element.remove();
    this.#cards.delete(uri);
    this.heading.focus();
    this.read();
  }

  /** Whether something is written in a card that would be lost where a person goes to this place. */
  isLeft(place) {
    const isSame = this.#path === `/v1/${place.parts[0]}`;
    return !isSame && !this.isDropped && [...this.#cards.values()].some(({ card }) => card.isEdited);
  }

  /** What is written and not sent is dropped. */
  dropEdits() {
    this.isDropped = true;
  }

  #showFirst() {
    const card = this.#first && this.#cards.get(this.#first);
    this.#first = null;
    if (!card) return;
    card.element.scrollIntoView({ block: "start" });
    card.element.querySelector("h2")?.focus({ preventScroll: true });
  }

  update(place) {
    this.#first = place.parts[1];
    this.#showFirst();
  }

  focus() {
    this.heading.focus();
  }
}
