import { h, unique } from "./dom.js";
import { access, get } from "./gateway.js";
import { mark } from "./icons.js";

const title = "Open the link again";

function words(...more) {
  return [h("p", {}, "The gateway does not know this browser. Open the link that it printed when it was started: "
    + "it lets this browser in.", ...more),
  h("pre.code-block", { tabindex: "0", "aria-label": "What the gateway prints" },
    "$ atmos gateway\nhttp://127.0.0.1:8770/?token=…")];
}

/** What is shown to a browser that was not let in. */
export function lockedElement() {
  return h("main.locked", {}, mark(), h("h1", {}, title), words(),
    h("p", {}, h("button.button.primary", { type: "button", onclick: () => location.reload() }, "Try again")));
}

/** The same above a page that is shown already: what is written in it stays, and goes on when the browser is let in again. */
export class LockedDialog {
  #studio;

  /** @param {import("./studio.js").Studio} studio */
  constructor(studio) {
    this.#studio = studio;
    const id = unique("locked");
    this.said = h("p.quiet-words", { role: "status" });
    this.element = h("dialog.dialog", { "aria-labelledby": id }, h("h2", { id }, title),
      words(" Do it in another tab: what is written here stays."), this.said,
      h("div.row.end", {},
        h("button.button", { type: "button", onclick: () => this.element.close() }, "Look at the page"),
        h("button.button.primary", { type: "button", onclick: () => this.#try() }, "Try again")));
    access.addEventListener("locked", () => this.#show());
    document.addEventListener("visibilitychange", () => studio.isLocked && !document.hidden && this.#try());
  }

  #show() {
    this.#studio.lock(true);
    if (!this.element.open) this.element.showModal();
  }

  async #try() {
    try {
      const { copy } = await get("/v1");
      // What is written here belongs to the other copy; the browser asks before it is lost.
      if (copy !== this.#studio.about.copy) return location.reload();
      this.element.close();
      this.#studio.lock(false);
    } catch (problem) {
      this.said.textContent = problem.status === 401 ? "It does not know this browser yet." : problem.message;
    }
    return undefined;
  }
}
