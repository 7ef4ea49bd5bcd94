import { ask, at, EventFeed, get } from "./gateway.js";
import { kindOf } from "./json.js";
import { forgetNames } from "./names.js";

/** What all views share: the entities, the numbers, what changes, and words to the person. */
export class Studio extends EventTarget {
  feed = new EventFeed();
  /** @type {Map<string, any>} what `/v1/entities` says, by name */
  entities = new Map();
  about = null;
  status = null;
  /** @type {{time: string, report?: any, problem?: Error} | null} what the last check of the server found */
  lastCheck = null;
  isChecking = false;
  /** The gateway has a new token, and has not let this browser in with it. */
  isLocked = false;
  #members = new Map();

  constructor() {
    super();
    this.feed.addEventListener("status", ({ detail }) => this.take(detail));
    this.feed.addEventListener("network", ({ detail }) => this.take(detail));
    this.feed.addEventListener("again", () => this.refresh());
    this.feed.addEventListener("changed", ({ detail }) => {
      this.#members.delete(detail.entity);
      forgetNames(detail.entity);
    });
  }

  /** Begins to listen, and reads what does not change while the gateway runs. */
  async start() {
    this.feed.open();
    const status = get("/v1/status").then((numbers) => this.take(numbers));
    const [about, entities] = await Promise.all([get("/v1"), get("/v1/entities"), status]);
    this.about = about;
    for (const entity of entities.items) this.entities.set(entity.name, entity);
  }

  get isReadOnly() {
    return this.about.readOnly;
  }

  /** New numbers; members that they do not have stay. */
  take(status) {
    this.status = { ...this.status, ...status };
    this.dispatchEvent(new Event("status"));
  }

  async refresh() {
    try {
      this.take(await get("/v1/status"));
    } catch {
      // The feed says that the gateway does not answer.
    }
  }

  /** The gateway has shut this browser out, or let it in again. */
  lock(isLocked) {
    this.isLocked = isLocked;
    this.dispatchEvent(new Event("status"));
    if (!isLocked) this.feed.open();
  }

  /** Asks whether the server is what the route file says; tells `checked` when it begins and when it has an answer. */
  async check() {
    if (this.isChecking) return;
    this.isChecking = true;
    this.dispatchEvent(new Event("checked"));
    const found = await ask("POST", "/v1/check").then(({ value }) => ({ report: value }), (problem) => ({ problem }));
    this.lastCheck = { time: new Date().toISOString(), ...found };
    this.isChecking = false;
    this.dispatchEvent(new Event("checked"));
  }

  /** How many objects of all entities have a state: `conflicted`, `rejected`, `unknown`, `changed`. */
  total(state) {
    return Object.values(this.status.entities).reduce((sum, counts) => sum + (counts[state] ?? 0), 0);
  }

  /**
   * The members that the first objects of an entity have, and of which kind they are.
   * @returns {Promise<{name: string, kind: string}[]>}
   */
  members(name) {
    let members = this.#members.get(name);
    if (!members) {
      members = get(`${at("objects", name)}?limit=50`).then((page) => membersOf(page.items, this.entities.get(name)));
      this.#members.set(name, members);
      members.catch(() => this.#members.delete(name));
    }
    return members;
  }

  /** Keeps what a list has shown of the members. */
  learn(name, records) {
    this.#members.set(name, Promise.resolve(membersOf(records, this.entities.get(name))));
  }

  /** Says something to the person, which goes away by itself. */
  say(text) {
    this.dispatchEvent(new CustomEvent("said", { detail: text }));
  }
}

/** The members of records, in the order of the one that has most of them, and those that have a declared type. */
export function membersOf(records, entity) {
  const kinds = new Map();
  const fullest = records.reduce((best, each) => (Object.keys(each).length > Object.keys(best).length ? each : best), {});
  for (const record of [fullest, ...records]) {
    for (const [name, value] of Object.entries(record)) {
      if (!kinds.has(name) || kinds.get(name) === "null") kinds.set(name, kindOf(value));
    }
  }
  for (const name of Object.keys(entity.types)) if (!kinds.has(name)) kinds.set(name, "null");
  return [...kinds].map(([name, kind]) => ({ name, kind: kind === "null" ? kindOfType(entity.types[name]) : kind }));
}

function kindOfType(type) {
  if (type === "boolean") return "boolean";
  if (type === "json") return "object";
  return ["integer", "float", "decimal", "seconds", "milliseconds", "microseconds"].includes(type) ? "number" : "string";
}
