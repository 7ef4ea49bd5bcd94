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

/** A page that nobody sees lets its connection go after this time: a browser has six of them for all pages of a gateway. */
const rest = 30_000;

/**
 * What changes, as it does. Passes on `changed`, `status`, `network` and `signIn` with the data as `detail`; `again` where
 * everything has to be read anew, and `lost` while the gateway does not answer.
 */
export class EventFeed extends EventTarget {
  /** The gateway does not answer. */
  isLost = false;
  #source = null;
  #timer = 0;
  #last = "";

  constructor() {
    super();
    let timer = 0;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => this.#rest(), rest);
      else this.#wake();
    });
  }

  /** Begins to listen, behind what has been heard. */
  open() {
    this.#rest();
    const source = new EventSource(this.#last ? `/v1/events?after=${encodeURIComponent(this.#last)}` : "/v1/events");
    this.#source = source;
    for (const name of ["changed", "status", "network", "signIn"]) {
      source.addEventListener(name, (event) => {
        this.#last = event.lastEventId;
        this.#tell(name, parse(event.data));
      });
    }
    // What changed before this was told to nobody here.
    for (const name of ["ready", "reset"]) {
      source.addEventListener(name, (event) => {
        this.#last = event.lastEventId;
        this.#tell("again");
      });
    }
    source.addEventListener("open", () => this.#found());
    source.addEventListener("error", () => this.#lose(source));
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #wake() {
    if (!this.#source) this.open();
  }

  #found() {
    if (!this.isLost) return;
    this.isLost = false;
    this.#tell("found");
  }

  #lose(source) {
    if (!this.isLost) {
      this.isLost = true;
      this.#tell("lost");
    }
    // A browser comes back by itself after a lost connection, and not after another answer.
    if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
    this.#timer = setTimeout(() => this.#reopen(), 3_000);
  }

  async #reopen() {
    try {
      await get("/v1");
      this.open();
    } catch (problem) {
      if (problem.status !== 401) this.#timer = setTimeout(() => this.#reopen(), 3_000);
    }
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
