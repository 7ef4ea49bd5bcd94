import { parse, write } from "./json.js";

/** Why the gateway did not do a request, in its own words (RFC 9457). */
export class Problem extends Error {
  /** @param {number} status 0 where the gateway did not answer */
  constructor(status, value = {}) {
    super(String(value.detail ?? value.title ?? `the gateway answered ${status}`));
    this.status = status;
    this.title = String(value.title ?? "");
    this.code = String(value.code ?? "");
    /** @type {{field: string, message: string}[]} */
    this.fields = Array.isArray(value.fields) ? value.fields : [];
    this.serverStatus = value.serverStatus;
  }
}

/** Told of every answer that says that this browser was not let in (`locked`). */
export const access = new EventTarget();

/**
 * Asks the gateway.
 * @param {string} method
 * @param {string} path from `/v1` on
 * @param {{value?: unknown, content?: Blob, headers?: Record<string, string>, signal?: AbortSignal}} [request]
 * @returns {Promise<{value: any, headers: Headers}>}
 * @throws {Problem}
 */
export async function ask(method, path, { value, content, headers = {}, signal } = {}) {
  const all = { Accept: "application/json", ...headers };
  if (value !== undefined) all["Content-Type"] = "application/json";
  let answer;
  let text;
  try {
    const body = value !== undefined ? write(value) : content;
    answer = await fetch(path, { method, headers: all, body, signal, credentials: "same-origin", cache: "no-store" });
    text = await answer.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { title: "No answer", detail: "The gateway does not answer. Is it still running?" });
  }
  if (answer.status === 401) access.dispatchEvent(new Event("locked"));
  if (!answer.ok) throw new Problem(answer.status, problemIn(text));
  return { value: text ? parse(text) : null, headers: answer.headers };
}

function problemIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** The value of a path. @throws {Problem} */
export async function get(path, signal) {
  return (await ask("GET", path, { signal })).value;
}

/**
 * A path with its segments and parameters encoded: `at("objects", "tasks", id)`.
 * @param {string[]} segments
 */
export function at(...segments) {
  return "/v1/" + segments.map(encodeURIComponent).join("/");
}

/** The entity and the identifier of `tasks/7`; an identifier may have slashes of its own. */
export function divided(uri) {
  const slash = uri.indexOf("/");
  return slash < 0 ? [uri, ""] : [uri.slice(0, slash), uri.slice(slash + 1)];
}

/** The path of an object, and of what is below it. */
export function objectPath(uri, ...below) {
  return at("objects", ...divided(uri), ...below);
}

/** A page that nobody sees rests after this time. */
const rest = 30_000;

/** The name of what the pages of a browser share: the turn to listen, and what is heard. */
const shared = "studio events";

/**
 * What changes, as it does. Passes on `changed`, `status`, `network` and `signIn` with the data as `detail`; `again` where
 * everything has to be read anew, and `lost` and `found` where the gateway does not answer any more, and does again.
 *
 * A browser has six connections for all pages of a gateway: one page listens, and tells the others what it hears. Another one has
 * the turn when that page is closed, or rests because nobody sees it.
 */
export class EventFeed extends EventTarget {
  /** The gateway does not answer. */
  isLost = false;
  #isOpen = false;
  /** What the pages tell each other; null while this one rests. */
  #channel = null;
  #wait = null;
  /** Gives the turn to another page; null where this one does not have it. */
  #giveTurn = null;
  #source = null;
  #timer = 0;
  #last = "";

  constructor() {
    super();
    let timer = 0;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => this.#rest(), rest);
      else if (this.#isOpen && !this.#channel) this.#wake();
    });
  }

  /** Begins to listen, when somebody sees the page; where it listens already, looks for the gateway at once. */
  open() {
    this.#isOpen = true;
    if (!this.#channel) return document.hidden ? undefined : this.#join();
    return this.#giveTurn ? this.#listen() : this.#post("hello");
  }

  // Which page listens

  #join() {
    this.#channel = new BroadcastChannel(shared);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#wait = new AbortController();
    navigator.locks.request(shared, { signal: this.#wait.signal }, () => this.#lead()).catch(() => {
      // It rests before it had the turn.
    });
    this.#post("hello");
  }

  #lead() {
    return new Promise((resolve) => {
      if (!this.#channel) return resolve();
      this.#giveTurn = resolve;
      return this.#listen();
    });
  }

  #rest() {
    this.#close();
    this.#wait?.abort();
    this.#giveTurn?.();
    this.#channel?.close();
    this.#giveTurn = this.#channel = null;
    this.#last = "";
  }

  #wake() {
    this.#join();
    this.#tell("again");
  }

  // Listening

  /** Listens to the gateway, behind what has been heard. */
  #listen() {
    this.#close();
    const source = new EventSource(this.#last ? `/v1/events?after=${encodeURIComponent(this.#last)}` : "/v1/events");
    this.#source = source;
    for (const name of ["changed", "status", "network", "signIn"]) {
      source.addEventListener(name, (event) => this.#pass(name, event));
    }
    // What changed before this was told to nobody here.
    for (const name of ["ready", "reset"]) source.addEventListener(name, (event) => this.#pass("again", event));
    source.addEventListener("open", () => this.#pass("found"));
    source.addEventListener("error", () => this.#lose(source));
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #lose(source) {
    this.#pass("lost");
    // A browser comes back by itself after a lost connection, and not after another answer.
    if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
    this.#timer = setTimeout(() => this.#reopen(), 3_000);
  }

  async #reopen() {
    clearTimeout(this.#timer);
    try {
      await get("/v1");
      if (this.#giveTurn) this.#listen();
    } catch (problem) {
      if (problem.status === 401) this.#post("locked");
      else if (this.#giveTurn) this.#timer = setTimeout(() => this.#reopen(), 3_000);
    }
  }

  // Telling

  #post(name, text = "", last = "") {
    this.#channel?.postMessage({ name, text, last });
  }

  /** Tells what was heard of the gateway, in all pages. */
  #pass(name, { data = "", lastEventId = "" } = {}) {
    this.#post(name, data, lastEventId);
    this.#hear({ name, text: data, last: lastEventId });
  }

  #hear({ name, text, last }) {
    if (last) this.#last = last;
    if (name === "hello") this.#answer();
    else if (name === "locked") access.dispatchEvent(new Event("locked"));
    else if (name === "lost" || name === "found") this.#turnOut(name);
    else this.#tell(name, name === "again" ? undefined : parse(text));
  }

  /** Another page wants to know how things stand. */
  #answer() {
    if (!this.#giveTurn) return;
    this.#post(this.isLost ? "lost" : "found");
    if (this.#source?.readyState === EventSource.CLOSED) this.#reopen();
  }

  #turnOut(name) {
    if (this.isLost === (name === "lost")) return;
    this.isLost = name === "lost";
    this.#tell(name);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
