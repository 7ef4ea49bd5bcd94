import { fill, h } from "./dom.js";
import { ask } from "./gateway.js";
import { icon } from "./icons.js";
import { confirmed, problemElement } from "./messages.js";
import { count, counted, size, timeElement, visible } from "./text.js";

const kinds = {
  pull: { word: "Pull", sign: "down", text: "Bring changes from the server" },
  push: { word: "Push", sign: "up", text: "Send what waits" },
  sync: { word: "Sync", sign: "sync", text: "Push, then pull" },
};

const transfers = { upload: "Uploading", download: "Downloading" };

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** Pull, push and sync, how far they have come, what came of them, and the offline switch. */
export class SyncBar {
  #studio;
  #running = null;

  constructor(studio) {
    this.#studio = studio;
    this.words = h("div.net-words", { role: "status" });
    this.progress = h("section.progress-list", { "aria-label": "Progress" });
    this.reports = h("div.reports", { "aria-live": "polite" });
    this.sign = h("div.sign-in", { hidden: true });
    this.buttons = Object.entries(kinds).map(([kind, { word, sign, text }]) =>
      h(kind === "sync" ? "button.button.primary" : "button.button", {
      type: "button", title: text, "data-sync": kind, onclick: () => this.run(kind),
    }, icon(sign), h("span", {}, word)));
    this.switch = h("button.switch", { type: "button", role: "switch", "aria-checked": "false", onclick: () => this.#switch() },
      h("span.knob", { "aria-hidden": "true" }), h("span", {}, "Offline"));
    // Words that go away by themselves stand here, where they lie over nothing.
    this.said = h("div.said", { role: "status", "aria-live": "polite" });
    this.live = h("span.live", { hidden: true });
    this.element = h("div.sync", {}, this.words, this.live, this.said, studio.isReadOnly
      ? h("span.state", { title: "The gateway was started with --read-only: nothing here is changed or sent" }, "Read-only")
      : h("div.sync-buttons", {}, this.switch, this.buttons));
    studio.addEventListener("status", () => this.#show());
    for (const name of ["lost", "found"]) studio.feed.addEventListener(name, () => this.#show());
    studio.feed.addEventListener("signIn", ({ detail }) => this.#signInStep(detail));
    this.#show();
    this.#readSignIn();
  }

  // How things stand

  #show() {
    const { status } = this.#studio;
    const words = this.#word(status);
    if (this.words.textContent !== words.text) fill(this.words, h("span.dot", { "data-tone": words.tone }),
      h("bdi", {}, words.text));
    this.words.title = visible(words.title ?? "");
    this.#showLive(status.live ?? {});
    clearTimeout(this.pauseTimer);
    const pause = Date.parse(status.pausedUntil ?? "") - Date.now();
    // Nobody tells that it is over.
    if (pause > 0) this.pauseTimer = setTimeout(() => this.#show(), Math.min(pause + 500, 0x7fffffff));
    this.switch.hidden = status.offline === null;
    this.switch.setAttribute("aria-checked", String(Boolean(status.offline)));
    for (const button of this.buttons) button.disabled = this.#running !== null || this.#studio.feed.isLost;
    this.#showProgress(status.activities ?? []);
    this.#showSignIn(status);
  }

  #word(status) {
    if (this.#studio.isLocked) return { tone: "bad", text: "Not let in: open the link again" };
    if (this.#studio.feed.isLost) return { tone: "bad", text: "The gateway does not answer; trying again…" };
    if (status.offline) return { tone: "off", text: "Offline: edits are kept here" };
    if (status.activities?.length) return { tone: "busy", text: "Working…" };
    if (Date.parse(status.pausedUntil ?? "") > Date.now()) {
      const until = new Date(status.pausedUntil);
      return { tone: "off", text: `The server asks to wait until ${clock.format(until)}`, title: until.toLocaleString() };
    }
    if (status.signInNeeded) return { tone: "bad", text: "The server wants a sign-in", title: status.signInNeeded };
    if (status.unreachable || status.networkAway) {
      return { tone: "bad", text: "The server is not reached", title: status.unreachable ?? "There is no network." };
    }
    const open = ["conflicted", "rejected", "unknown"].reduce((sum, state) => sum + this.#studio.total(state), 0);
    const waiting = Math.max(0, this.#studio.total("changed") - open);
    if (open && waiting) return { tone: "wait", text: `${count(open)} to decide, ${count(waiting)} to send` };
    if (open) return { tone: "wait", text: `${counted(open, "object")} to decide` };
    if (waiting) return { tone: "wait", text: `${counted(waiting, "object")} to send` };
    return { tone: "good", text: "In step" };
  }

  /** How the live updates stand, where the route file has some. */
  #showLive({ state = "off", reason }) {
    const words = { connected: "Live", connecting: "Live updates: connecting…", disconnected: "No live updates" }[state] ?? "";
    this.live.hidden = !words;
    this.live.dataset.state = state;
    this.live.title = visible(reason ?? "");
    if (this.live.textContent !== words) this.live.textContent = words;
  }

  #showProgress(activities) {
    fill(this.progress, activities.map(({ kind, entity, completed, total, object, member }) => {
      const number = object ? size : count;
      const far = total === null ? number(completed) : `${number(completed)} of ${number(total)}`;
      const words = object
        ? `${transfers[kind] ?? kind} ${visible(member)} of ${visible(object)}: ${far}`
        : `${kinds[kind]?.word ?? kind} ${entity ? visible(entity) : ""} ${far}`;
      return h("div.progress", {}, h("span", {}, words),
        total === null ? h("progress", { "aria-label": words })
          : h("progress", { "aria-label": words, value: completed, max: Math.max(total, completed, 1) }));
    }));
  }

  // What a person does

  /**
   * Pulls, pushes, or both, and shows what came of it.
   * @param {"pull" | "push" | "sync"} kind
   * @param {object} [options] the body of the request
   */
  async run(kind, options = {}) {
    if (this.#running || this.#studio.isReadOnly) return;
    this.#running = kind;
    this.#show();
    try {
      const { value } = await ask("POST", `/v1/${kind}`, { value: kind === "sync" ? undefined : options });
      this.#report(kind, kind === "sync" ? value : { [kind]: value });
    } catch (problem) {
      this.#put(problemElement(problem));
    } finally {
      this.#running = null;
      this.#studio.refresh();
    }
  }

  #report(kind, { push, pull }) {
    const problems = [...(push?.problems ?? []), ...(pull?.problems ?? [])];
    const isWhole = !problems.length;
    const noPush = this.#studio.status.offline ? "Offline, and nothing waits to be sent." : "Pushed: nothing.";
    const parts = [push && pushWords(push, isWhole ? noPush : ""), pull && pullWords(pull, isWhole ? "Pulled: nothing new." : "")]
      .filter(Boolean);
    // Problems stand in the report, beside what was done all the same.
    if (isWhole) {
      this.#studio.say(parts.join(" "));
      return fill(this.reports);
    }
    return this.#put(h("div.problem", {}, icon("alert"), h("div", {}, h("strong", {}, `${kinds[kind].word} is not complete`),
      parts.length > 0 && h("p", {}, parts.join(" ")), h("ul.words", {},
        problems.map(({ message }) => h("li", {}, h("bdi", {}, visible(message))))), this.#allowances(pull))));
  }

  /** Where a pull stopped because too much would vanish here, a person may allow just that. */
  #allowances(pull) {
    return Object.entries(pull?.entities ?? {}).map(([name, { problem }]) => {
      const number = /--allow-deletes (\d+)/.exec(problem ?? "")?.[1];
      return number && h("button.button.small", { type: "button", onclick: () => this.#allow(name, Number(number)) },
        `Let ${counted(Number(number), "object")} of ${visible(name)} go`);
    });
  }

  async #allow(name, number) {
    const isSure = await confirmed({
      title: `Let ${counted(number, "object")} go?`, yes: "Let them go", no: "Keep", isGrave: true,
      text: "They are not on the server any more, as its list says. They vanish here; edits of them are kept.",
    });
    if (isSure) await this.run("pull", { entities: [name], full: true, allowedDeletes: number });
  }

  #put(element) {
    fill(this.reports, h("div.report", {}, element, h("button.plain", {
      type: "button", "aria-label": "Close the report", onclick: () => fill(this.reports),
    }, icon("close"))));
  }

  async #switch() {
    try {
      const { value } = await ask("PUT", "/v1/network", { value: { offline: !this.#studio.status.offline } });
      this.#studio.take(value);
      this.#studio.say(value.offline ? "Offline: nothing is sent until you switch back." : "Online again.");
    } catch (problem) {
      this.#put(problemElement(problem));
    }
  }

  // Signing in

  /** The state has all steps so far; of answers that cross each other the one to the last question counts. */
  async #readSignIn() {
    this.signInReads = (this.signInReads ?? 0) + 1;
    const number = this.signInReads;
    try {
      const { value } = await ask("GET", "/v1/sign-in");
      if (number !== this.signInReads) return;
      this.signIn = value;
      this.#showSignIn(this.#studio.status);
    } catch {
      // What the status says is shown all the same.
    }
  }

  #signInStep({ signedIn }) {
    if (signedIn) {
      // The status tells of the last try, which was before.
      this.#studio.take({ signInNeeded: null });
      this.#studio.say("Signed in. Pull or push to go on.");
    }
    this.#readSignIn();
  }

  #showSignIn({ signInNeeded }) {
    const { running = false, steps = [], problem = null } = this.signIn ?? {};
    const text = JSON.stringify([running, steps, problem, signInNeeded]);
    if (text === this.signInText) return;
    this.signInText = text;
    this.sign.hidden = !signInNeeded && !running && !problem;
    fill(this.sign, icon("lock"), h("div", {}, h("strong", {}, running ? "Sign in" : "The server wants a sign-in"),
      signInNeeded && !running && h("p.words", {}, h("bdi", {}, visible(signInNeeded))),
      problem && h("p.words", {}, visible(problem.detail ?? problem.title ?? "")), steps.map(stepElement)),
    h("span.gap"), !running && !this.#studio.isReadOnly
      && h("button.button.primary", { type: "button", onclick: () => this.#startSignIn() }, "Sign in"),
    running && h("button.button", { type: "button", onclick: () => this.#stopSignIn() }, "Stop"));
  }

  async #startSignIn() {
    try {
      await ask("POST", "/v1/sign-in");
      await this.#readSignIn();
    } catch (problem) {
      this.#put(problemElement(problem));
    }
  }

  async #stopSignIn() {
    await ask("DELETE", "/v1/sign-in").catch((problem) => this.#put(problemElement(problem)));
    await this.#readSignIn();
  }
}

/** What a person has to do: open a page, or enter a code at one. */
function stepElement(step) {
  if (step.open) return h("p", {}, "Open ", outsideLink(step.open), " and sign in there.");
  return h("p", {}, "Open ", outsideLink(step.complete ?? step.url), " and enter ",
    h("code.user-code", {}, visible(step.code ?? "")),
    step.until && [" until ", timeElement(step.until)], ".");
}

/** Only addresses of the web become links. */
function outsideLink(text) {
  const isWeb = /^https?:\/\//i.test(text ?? "");
  return isWeb
    ? h("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, visible(text))
    : h("code", {}, visible(String(text)));
}

/** @param {string} nothing the words where nothing was done */
function pushWords({ created, updated, deleted, uploaded, remaining }, nothing) {
  const done = [[created, "created"], [updated, "updated"], [deleted, "deleted"], [uploaded, "uploaded"]]
    .filter(([number]) => number).map(([number, word]) => `${count(number)} ${word}`);
  const names = { conflicted: "in conflict", rejected: "refused", unknown: "in doubt", waiting: "waiting", held: "held back" };
  const left = Object.entries(remaining).filter(([, number]) => number).map(([name, number]) =>
    `${count(number)} ${names[name] ?? name}`);
  return [done.length ? `Pushed: ${done.join(", ")}.` : nothing, left.length && `Left: ${left.join(", ")}.`].filter(Boolean).join(" ");
}

function pullWords({ entities }, nothing) {
  const sums = {};
  for (const counts of Object.values(entities)) {
    for (const name of ["inserted", "updated", "deleted", "merged", "conflicted"]) sums[name] = (sums[name] ?? 0) + counts[name];
  }
  const words = { inserted: "new", updated: "updated", deleted: "deleted", merged: "merged", conflicted: "in conflict" };
  const done = Object.entries(sums).filter(([, number]) => number).map(([name, number]) => `${count(number)} ${words[name]}`);
  return done.length ? `Pulled: ${done.join(", ")}.` : nothing;
}
