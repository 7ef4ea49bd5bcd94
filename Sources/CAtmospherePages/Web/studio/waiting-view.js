import { fill, h, spaced } from "./dom.js";
import { objectLink } from "./fields.js";
import { ask, get } from "./gateway.js";
import { emptyElement, problemElement } from "./messages.js";
import { nameElement } from "./names.js";
import { requestsElement } from "./requests.js";
import { link } from "./router.js";
import { count, counted, reasonWords, stateElement } from "./text.js";

/** Of more objects the requests are shown only where a person asks for them. */
const much = 500;

/** Where a person decides what is in a state. */
const decisions = {
  conflicted: { view: "conflicts", word: "Decide" }, rejected: { view: "rejected", word: "Fix it" },
  unknown: { view: "unknown", word: "Decide" },
};

/** What waits to be sent, why, and the requests that a push would send. */
export class WaitingView {
  title = "Waiting";
  #studio;
  #signal;

  constructor(studio, place, signal) {
    this.#studio = studio;
    this.#signal = signal;
    this.heading = h("h1", { tabindex: "-1" }, "Waiting");
    this.total = h("p.total", { role: "status" });
    this.place = h("div.place");
    this.list = h("div");
    this.requests = h("div");
    const retry = !studio.isReadOnly && h("button.button", { type: "button", onclick: () => this.#retryAll() }, "Try all again");
    this.element = h("div.page", {}, h("header.view-head", {}, this.heading, this.total, h("span.gap"), retry), this.place,
      h("div.columns", {}, h("section", { "aria-label": "What waits" }, h("h2", {}, "What waits"), this.list),
        h("section", { "aria-label": "What a push would send" }, h("h2", {}, "What a push would send"), this.requests)));
    const renew = spaced(500, () => this.#read());
    for (const name of ["status", "changed", "again"]) studio.feed.addEventListener(name, renew, { signal });
    renew();
  }

  async #read() {
    try {
      const pending = await get("/v1/pending?limit=200", this.#signal);
      const isMuch = pending.total > much && !this.showsAll;
      const diff = isMuch ? null : await get("/v1/diff", this.#signal);
      fill(this.place);
      this.#show(pending, diff);
    } catch (problem) {
      if (problem.name !== "AbortError") fill(this.place, problemElement(problem));
    }
  }

  #show(pending, diff) {
    const words = pending.total ? counted(pending.total, "object") : "";
    if (this.total.textContent !== words) this.total.textContent = words;
    const text = JSON.stringify([pending, diff]);
    if (text === this.shown) return;
    this.shown = text;
    const more = pending.total - pending.items.length;
    fill(this.list, pending.items.length
      ? h("ul.waiting", {}, pending.items.map(({ uri, reason, state }) =>
        h("li", {}, h("div", {}, objectLink(uri), " ", nameElement(uri), " ", stateElement(state),
          h("p.quiet-words", {}, h("bdi", {}, reasonWords(reason)))),
        decisions[state] && h("a.button.small", { href: link([decisions[state].view, uri]) }, decisions[state].word))))
      : emptyElement("Nothing waits", "The server has everything that was edited here."),
    more > 0 && h("p.quiet-words", {}, `… and ${count(more)} more`));
    fill(this.requests, diff === null ? this.#askForAll(pending.total) : diffElement(diff));
  }

  #askForAll(total) {
    return h("button.button", {
      type: "button",
      onclick: () => {
        this.showsAll = true;
        this.#read();
      },
    }, `Show the requests for ${counted(total, "object")}`);
  }

  async #retryAll() {
    try {
      const { value } = await ask("POST", "/v1/retry");
      this.#studio.say(value.retried.length ? `The next push tries ${counted(value.retried.length, "object")} again.`
        : "There is nothing to try again.");
      fill(this.place, value.left.map(({ uri, message }) => problemElement(new Error(`${uri}: ${message}`))));
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
  }

  focus() {
    this.heading.focus();
  }
}

function diffElement(diff) {
  return diff.requests.length || diff.held.length ? requestsElement(diff) : h("p.quiet-words", {}, "Nothing.");
}
