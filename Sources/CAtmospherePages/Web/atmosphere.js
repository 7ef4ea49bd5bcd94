/**
 * The collections of `atmos gateway` in a page: read and edited at once, also while the gateway does not answer.
 *
 *     import { atmosphere } from "/atmosphere.js";
 *     const local = await atmosphere();
 *     const tasks = local.collection("tasks");
 *     tasks.subscribe({ where: { done: false }, sort: "due" }, rows => show(rows));
 *     await tasks.save({ title: "Milk" });
 *
 * A function and not a class to be made, because opening takes time and all of a page shares one copy and one queue:
 * `atmosphere()` gives the same object however often it is called. Rows are plain objects; nothing has to be declared.
 *
 * One tab of a browser profile, the leader, talks to the gateway for all: it holds a Web Lock, and the next tab takes over when it
 * goes. The copy (`rows`), the queue of writes (`queue`) and what else is known (`notes`) stand in IndexedDB; every tab holds what
 * it shows in memory and reads again what a transaction of any tab has touched.
 */

const lists = ["rows", "queue", "notes"];
const pageSize = 1000;

/** What a promise of this module is rejected with. */
export class AtmosphereError extends Error {
  /**
   * @param {string} code for programs: browser, quota, notFound, unknownName, unreachable, or the gateway's own
   * @param {string} message the reason and the remedy
   * @param {object} [problem] the gateway's problem (RFC 9457)
   */
  constructor(code, message, problem) {
    super(message);
    this.name = "AtmosphereError";
    this.code = code;
    this.problem = problem;
  }
}

/** The gateway gives no answer that could be used; the same request goes again later. */
class Away extends AtmosphereError {}

// MARK: What the browser can do

const features = [
  ["EventSource", true, "hear of changes", () => globalThis.EventSource],
  ["BroadcastChannel", true, "keep tabs in step", () => globalThis.BroadcastChannel],
  ["navigator.locks", true, "send each write once", () => globalThis.navigator?.locks],
  ["crypto.randomUUID", true, "name what is created (open the page at 127.0.0.1 or by https)",
    () => globalThis.crypto?.randomUUID],
  ["structuredClone", true, "copy rows", () => globalThis.structuredClone],
  ["indexedDB", false, "keep the copy and unsent writes when the page is closed", () => globalThis.indexedDB],
  ["navigator.serviceWorker", false, "open the page while the gateway does not answer", () => globalThis.navigator?.serviceWorker],
  ["JSON.rawJSON", false, "show whole numbers beyond 2^53 exactly", () => JSON.rawJSON],
];

/**
 * What this browser lacks.
 * @returns {{name: string, needed: boolean, purpose: string}[]} `needed`: nothing works without it
 */
export function missing() {
  return features
    .filter(([, , , find]) => { try { return !find(); } catch { return true; } })
    .map(([name, needed, purpose]) => ({ name, needed, purpose }));
}

// MARK: JSON

/** Whole numbers that a Number does not hold become BigInt, where the browser shows how they were written. */
function parsed(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => typeof value === "number" && !Number.isSafeInteger(value)
    && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value);
}

function written(value) {
  return JSON.stringify(value, (_, each) =>
    typeof each !== "bigint" ? each : JSON.rawJSON ? JSON.rawJSON(String(each)) : Number(each));
}

/** Equal values have equal texts, in whatever order their members stand. */
function canonical(value) {
  return JSON.stringify(value, (_, each) => typeof each === "bigint" ? `${each}n`
    : each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => a < b ? -1 : 1)) : each);
}

const same = (a, b) => a === b || (typeof a === typeof b && typeof a === "object" && canonical(a) === canonical(b));
const copied = value => value && typeof value === "object" ? structuredClone(value) : value;
const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

// MARK: Queries

const collator = new Intl.Collator(undefined, { numeric: true });
const rank = value => value == null ? 0 : typeof value === "boolean" ? 1
  : typeof value === "number" || typeof value === "bigint" ? 2 : typeof value === "string" ? 3 : 4;

/** Nothing, booleans, numbers, texts as people sort them, then the rest. */
function compared(a, b) {
  const kind = rank(a);
  if (kind !== rank(b)) return kind - rank(b);
  if (kind === 3) return collator.compare(a, b);
  return kind === 0 || kind === 4 || a === b ? 0 : a < b ? -1 : 1;
}

const ordered = test => (a, b) => rank(a) === rank(b) && test(compared(a, b));
const folded = value => String(value ?? "").toLowerCase();
const conditions = {
  "=": (a, b) => same(a ?? null, b ?? null),
  "!=": (a, b) => !same(a ?? null, b ?? null),
  "<": ordered(order => order < 0),
  "<=": ordered(order => order <= 0),
  ">": ordered(order => order > 0),
  ">=": ordered(order => order >= 0),
  "*=": (a, b) => folded(a).includes(folded(b)),
  "^=": (a, b) => folded(a).startsWith(folded(b)),
};

/** A test of a row, from a function or from `{done: false, due: {"<": "2026-01-01"}}`. */
function condition(where) {
  if (!where) return () => true;
  if (typeof where === "function") return where;
  const tests = Object.entries(where).flatMap(([member, wanted]) => {
    const all = wanted && typeof wanted === "object" && !Array.isArray(wanted) ? Object.entries(wanted) : [["=", wanted]];
    return all.map(([sign, value]) => {
      const test = conditions[sign];
      if (!test) throw new AtmosphereError("usage", `where: ${member}: “${sign}” is none of ${Object.keys(conditions).join(" ")}`);
      return row => test(row[member], value);
    });
  });
  return row => tests.every(test => test(row));
}

/** An order of rows, from a function, `"-due,title"` or `["-due", "title"]`. */
function order(sort) {
  if (typeof sort === "function") return sort;
  const members = (Array.isArray(sort) ? sort : sort.split(",")).map(text =>
    text.startsWith("-") ? [text.slice(1), -1] : [text, 1]);
  return (a, b) => {
    for (const [member, sign] of members) {
      const result = compared(a[member], b[member]);
      if (result) return sign * result;
    }
    return 0;
  };
}

/** The rows that a query means, and how many there are without its limit. */
function selected(rows, { where, sort, limit, offset = 0 } = {}) {
  const items = [...rows].filter(condition(where));
  if (sort) items.sort(order(sort));
  return { items: items.slice(offset, limit == null ? undefined : offset + limit), total: items.length };
}

// MARK: Storage

const answered = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function storageError(error) {
  if (error?.name !== "QuotaExceededError") return error ?? new AtmosphereError("storage", "the browser's storage gave no answer");
  return new AtmosphereError("quota", "the browser gives this site no more room, so this was not saved; nothing that was saved "
    + "before is lost. Free space on the disk or delete data of other sites, then save again");
}

/** IndexedDB. */
class Disk {
  keeps = true;

  static async open() {
    const request = indexedDB.open("atmosphere", 1);
    request.onupgradeneeded = () => lists.forEach(name => request.result.createObjectStore(name));
    const disk = new Disk();
    disk.base = await answered(request);
    return disk;
  }

  /** Does all of `work` or nothing. `strict`: it survives a loss of power. */
  run(work, writes = false, strict = false) {
    return new Promise((resolve, reject) => {
      const transaction = this.base.transaction(lists, writes ? "readwrite" : "readonly",
        { durability: strict ? "strict" : "relaxed" });
      const list = name => transaction.objectStore(name);
      let result, failure;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(failure ?? storageError(transaction.error));
      work({
        get: (name, key) => answered(list(name).get(key)),
        put: (name, key, value) => void list(name).put(value, key),
        delete: (name, key) => void list(name).delete(key),
        entries: async (name, prefix = "") => {
          const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
          const [keys, values] = await Promise.all([answered(list(name).getAllKeys(range)), answered(list(name).getAll(range))]);
          return keys.map((key, index) => [key, values[index]]);
        },
      }).then(value => { result = value; }, error => {
        failure = error instanceof AtmosphereError ? error : storageError(error);
        try { transaction.abort(); } catch { reject(failure); }
      });
    });
  }
}

/** The same for this page alone, where the browser keeps nothing. */
class Memory {
  keeps = false;
  lists = Object.fromEntries(lists.map(name => [name, new Map()]));
  turn = Promise.resolve();

  run(work) {
    const undo = [];
    const set = (name, key, value) => {
      const list = this.lists[name], old = list.get(key);
      undo.push(() => old === undefined ? list.delete(key) : list.set(key, old));
      if (value === undefined) list.delete(key); else list.set(key, structuredClone(value));
    };
    const done = this.turn.then(() => work({
      get: async (name, key) => structuredClone(this.lists[name].get(key)),
      put: set,
      delete: set,
      entries: async (name, prefix = "") => structuredClone([...this.lists[name]].filter(([key]) => key.startsWith(prefix))),
    })).catch(error => { undo.reverse().forEach(step => step()); throw error; });
    this.turn = done.catch(() => {});
    return done;
  }
}

// MARK: A write that waits

/**
 * One for each object: what was set, and what the page had seen of those members (`base`).
 *
 * A write whose answer was lost goes again. What it set then (`sent`) may stand there by now, so that a member has been changed by
 * somebody else only where it is neither as in `base` nor as in any of `sent`.
 */
const newEntry = (entity, id) =>
  ({ entity, id, at: performance.timeOrigin + performance.now(), create: false, remove: false, set: {}, base: {}, sent: [] });

const isEmpty = entry => !entry.create && !entry.remove && !Object.keys(entry.set).length;
const uriOf = (entity, id) => `${entity}/${id}`;
const entityOf = uri => uri.slice(0, uri.indexOf("/"));
const idOf = uri => uri.slice(uri.indexOf("/") + 1);

/** Which members can go, and which somebody else has changed. */
function divided(entry, current, readonly) {
  const members = entry.remove
    ? Object.keys({ ...entry.base, ...current }).filter(member => !readonly.includes(member)) : Object.keys(entry.set);
  const go = [], clash = [];
  for (const member of members) {
    const value = current[member];
    if (!entry.remove && same(value, entry.set[member])) continue;
    const isExpected = same(value, entry.base[member])
      || entry.sent.some(sent => member in sent && same(value, sent[member]));
    (isExpected ? go : clash).push(member);
  }
  return { go, clash };
}

/** The write after its values `done` are known to stand there. */
function settled(entry, done) {
  for (const [member, value] of Object.entries(done)) {
    if (!(member in entry.set) || same(entry.set[member], value)) {
      delete entry.set[member];
      delete entry.base[member];
    } else {
      entry.base[member] = value;
    }
  }
  entry.sent = [];
}

// MARK: The page's view

const origin = Symbol("atmosphere");

/** What this tab knows: rows of its collections, writes that wait, and who wants to hear of them. */
class Copy {
  rows = new Map();
  shown = new Map();
  queue = new Map();
  aliases = new Map();
  complete = new Set();
  entities = null;
  listeners = new Set();
  turn = Promise.resolve();

  constructor(disk) {
    this.disk = disk;
    this.channel = disk.keeps ? new BroadcastChannel("atmosphere") : null;
  }

  /** Writes, shows it in this tab, and tells the others. */
  async change(work, strict = false) {
    const touched = new Set();
    const result = await this.disk.run(transaction => work({
      ...transaction,
      put: (name, key, value) => { touched.add(`${name} ${key}`); transaction.put(name, key, value); },
      delete: (name, key) => { touched.add(`${name} ${key}`); transaction.delete(name, key); },
    }), true, strict);
    if (touched.size) {
      const keys = touched.size > 2000 ? null : [...touched];
      this.channel?.postMessage({ touched: keys });
      await this.refresh(keys);
    }
    return result;
  }

  /** Reads again what was touched; null is everything. */
  refresh(touched) {
    return this.turn = this.turn.then(async () => {
      const values = await this.disk.run(async transaction => {
        if (touched) {
          const keys = touched.map(each => [each.slice(0, each.indexOf(" ")), each.slice(each.indexOf(" ") + 1)]);
          return Promise.all(keys.map(async ([name, key]) => [name, key, await transaction.get(name, key)]));
        }
        const all = await Promise.all(lists.map(name => transaction.entries(name)));
        return all.flatMap((entries, index) => entries.map(([key, value]) => [lists[index], key, value]));
      });
      if (!touched) [this.rows, this.queue, this.shown].forEach(map => map.clear());
      const entities = new Set();
      for (const [name, key, value] of values) {
        if (name === "notes") { this.note(key, value); continue; }
        if (value) this[name].set(key, value); else this[name].delete(key);
        this.show(key);
        entities.add(entityOf(key));
      }
      if (!touched) this.shown.forEach((_, entity) => entities.add(entity));
      this.listeners.forEach(listener => listener(touched ? entities : null));
    }).catch(error => console.error(error));
  }

  note(key, value) {
    const name = key.slice(key.indexOf(" ") + 1);
    if (key === "entities") this.entities = value;
    else if (key.startsWith("alias ")) this.aliases.set(name, value);
    else if (key.startsWith("kept ")) this.complete[value?.complete ? "add" : "delete"](name);
  }

  show(uri) {
    const entity = entityOf(uri), id = idOf(uri);
    if (!this.shown.has(entity)) this.shown.set(entity, new Map());
    const row = overlaid(this.rows.get(uri), this.queue.get(uri), this.about(entity).id);
    if (row) this.shown.get(entity).set(id, row); else this.shown.get(entity).delete(id);
  }

  about(entity) {
    return this.entities?.find(each => each.name === entity) ?? { id: "id", readonly: [], references: [] };
  }

  /** The present address of an object that may have had another. */
  present(uri) {
    for (let next; (next = this.aliases.get(uri)) !== undefined;) uri = uriOf(entityOf(uri), next);
    return uri;
  }

  /** A row for the page, which it may change without changing the copy. */
  handed(entity, id, row) {
    const own = {};
    for (const name in row) own[name] = copied(row[name]);
    own[origin] = { entity, id, row };
    return own;
  }

  select(entity, query) {
    const rows = this.shown.get(entity) ?? new Map();
    const ids = new Map([...rows].map(([id, row]) => [row, id]));
    const { items, total } = selected(rows.values(), query);
    return { items, total, hand: () => items.map(row => this.handed(entity, ids.get(row), row)) };
  }

  count(test) { return [...this.queue.values()].filter(test).length; }
}

/** A row with the write that waits; undefined where there is none, or not any more. */
function overlaid(row, entry, idMember) {
  if (entry?.remove || (!row && !entry?.create)) return undefined;
  const result = { ...(row?.record ?? { [idMember]: entry.id }), ...entry?.set };
  for (const name in entry?.set) if (entry.set[name] === undefined) delete result[name];
  return result;
}

/** An object has got another address: in the copy, in the queue, and in what other writes say of it. */
async function rename(transaction, copy, entity, from, to, record) {
  const old = uriOf(entity, from), present = uriOf(entity, to);
  transaction.put("notes", `alias ${old}`, to);
  transaction.delete("rows", old);
  const about = copy.about(entity);
  for (const [key, entry] of await transaction.entries("queue")) {
    let isChanged = key === old && !entry.create;
    if (isChanged) {
      transaction.delete("queue", old);
      entry.id = to;
    }
    for (const { entity: target, field } of copy.about(entry.entity).references) {
      if (target !== entity || !(field in entry.set)) continue;
      const mended = value => String(value) === from ? record[about.id] ?? to : value;
      const value = entry.set[field];
      entry.set[field] = Array.isArray(value) ? value.map(mended) : mended(value);
      isChanged ||= !same(value, entry.set[field]);
    }
    if (isChanged) transaction.put("queue", key === old ? present : key, entry);
  }
}

// MARK: The gateway

const pathOf = (entity, id) => `/v1/objects/${encodeURIComponent(entity)}${id == null ? "" : `/${encodeURIComponent(id)}`}`;

/** One request. Throws where the gateway gives no answer that says what became of it. */
async function ask(method, path, body, headers = {}) {
  let answer, text;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      body: body === undefined ? undefined : written(body),
      cache: "no-store",
      signal: AbortSignal.timeout?.(30000),
    });
    text = await answer.text();
  } catch {
    throw new Away("unreachable", "the gateway does not answer; what you write is kept here and sent when it does");
  }
  const { status } = answer;
  let value;
  try { value = text ? parsed(text) : undefined; } catch { value = { detail: text.slice(0, 200) }; }
  if (status === 401) {
    throw new Away("signedOut", "the gateway does not know this browser (any more): open the link that it printed when it started");
  }
  if ([429, 502, 503, 504, 507].includes(status)) {
    throw new Away("unreachable", value?.detail ?? `the gateway answers with ${status}`);
  }
  const place = answer.headers.get("Content-Location");
  return {
    status, value, etag: answer.headers.get("ETag"), isGood: answer.ok,
    id: place ? decodeURIComponent(place.slice(place.lastIndexOf("/") + 1)) : undefined,
  };
}

/** As `ask`, and throws what the gateway refuses. */
async function got(method, path, body) {
  const answer = await ask(method, path, body);
  if (!answer.isGood) {
    throw new AtmosphereError(answer.value?.code ?? "refused", answer.value?.detail ?? `${path}: ${answer.status}`, answer.value);
  }
  return answer.value;
}

/** What the leader does: sends the queue, follows the events, keeps the copy as the gateway has it. */
class Exchange {
  unread = new Map();
  seen = null;
  stream = null;
  failures = 0;
  isAsked = false;

  /** @param tell takes what changes of the status */
  constructor(copy, tell) {
    this.copy = copy;
    this.tell = tell;
  }

  /** Something is to do. */
  ask() {
    this.isAsked = true;
    this.wake?.();
  }

  /** Until the page goes. */
  async run() {
    for (;;) {
      this.isAsked = false;
      let pause = 3600000;
      try {
        await this.connect();
        await this.work();
        this.failures = 0;
        this.tell({ state: "connected", message: "" });
      } catch (error) {
        if (error instanceof Away) this.tell({ state: error.code, message: error.message });
        else this.tell({ message: error.message, problem: { code: error.code ?? "failed", message: error.message } });
        pause = Math.min(250 * 2 ** this.failures++, 5000);
      }
      if (this.isAsked && pause > 5000) continue;
      await new Promise(resolve => { this.wake = resolve; setTimeout(resolve, pause); });
      this.wake = null;
    }
  }

  // MARK: Events

  async connect() {
    if (this.stream?.readyState === EventSource.OPEN) return;
    this.stream?.close();
    const { name } = await got("GET", "/v1");
    const notes = new Map(await this.copy.disk.run(transaction => transaction.entries("notes")));
    if (notes.has("gateway") && notes.get("gateway") !== name) {
      throw new Away("foreign", `another gateway (“${name}”) answers at this address, and not “${notes.get("gateway")}”, which this `
        + "copy is of; nothing is sent to it. Start the right one here, or delete the data of this site");
    }
    const entities = (await got("GET", "/v1/entities")).items.map(({ name, id, idsPerParent, readonly, references }) =>
      ({ name, id, idsPerParent, readonly, references }));
    await this.copy.change(async transaction => {
      if (!notes.has("gateway")) transaction.put("notes", "gateway", name);
      if (!same(notes.get("entities") ?? null, entities)) transaction.put("notes", "entities", entities);
    });
    await this.listen(this.seen ?? notes.get("event"));
    this.tell({ gateway: await got("GET", "/v1/status") });
  }

  listen(after) {
    const stream = this.stream = new EventSource(`/v1/events${after ? `?after=${encodeURIComponent(after)}` : ""}`);
    const on = (name, work) => stream.addEventListener(name, event => {
      if (stream !== this.stream) return;
      work(event.data && JSON.parse(event.data));
      if (event.lastEventId) this.seen = event.lastEventId;
      this.ask();
    });
    const all = () => this.copy.complete.forEach(entity => this.unread.set(entity, null));
    on("ready", all);
    on("reset", all);
    on("changed", ({ entity, ids }) => {
      const unread = this.unread.get(entity);
      if (unread !== null) this.unread.set(entity, ids && new Set([...unread ?? [], ...ids]));
    });
    on("status", gateway => this.tell({ gateway }));
    return new Promise((resolve, reject) => {
      stream.onopen = resolve;
      stream.onerror = () => {
        stream.close();
        reject(new Away("unreachable", "the gateway does not answer; what you write is kept here and sent when it does"));
        this.ask();
      };
    });
  }

  // MARK: Work

  async work() {
    // First what may have become an object there already, so that it is not shown beside itself.
    await this.send(entry => entry.create && entry.sent.length);
    do await this.read(); while (await this.send(() => true, () => this.read()));
    if (this.seen) await this.copy.disk.run(async transaction => transaction.put("notes", "event", this.seen), true);
  }

  /** Reads all that is known to have changed. */
  async read() {
    const kept = await this.copy.disk.run(transaction => transaction.entries("notes", "kept "));
    const names = new Set(this.copy.entities.map(each => each.name));
    for (const [key, { complete }] of kept) if (!complete) this.unread.set(key.slice(5), null);
    for (const [entity, ids] of this.unread) {
      if (names.has(entity) && kept.some(([key]) => key === `kept ${entity}`)) {
        const isFew = ids && ids.size <= 32 + this.copy.rows.size / 100;
        this.unread.delete(entity);
        try {
          await (isFew ? this.readObjects(entity, [...ids]) : this.readList(entity));
        } catch (error) {
          this.unread.set(entity, null);
          throw error;
        }
      } else {
        this.unread.delete(entity);
      }
    }
  }

  async readObjects(entity, ids) {
    for (let start = 0; start < ids.length; start += 16) {
      const part = ids.slice(start, start + 16);
      const answers = await Promise.all(part.map(id => {
        const etag = this.copy.rows.get(uriOf(entity, id))?.etag;
        return ask("GET", pathOf(entity, id), undefined, etag ? { "If-None-Match": etag } : {});
      }));
      await this.copy.change(async transaction => {
        for (const [index, answer] of answers.entries()) await this.keep(transaction, entity, part[index], answer);
      });
    }
  }

  /** Puts the answer to a GET into the copy. */
  async keep(transaction, entity, id, { status, isGood, value, etag, id: present = id }) {
    if (status === 404) transaction.delete("rows", uriOf(entity, id));
    if (!isGood) return;
    if (present !== id) await rename(transaction, this.copy, entity, id, present, value);
    transaction.put("rows", uriOf(entity, present), { record: value, etag });
  }

  /**
   * Reads a list from its beginning to its end, and lets go of what is not in it.
   *
   * Each page begins with the last row of the one before it: where another row stands there, rows have moved, and one may be missing.
   */
  async readList(entity) {
    const found = new Map();
    for (let offset = 0, last = null, tries = 0; ;) {
      const { items, objects, total } = await got("GET",
        `${pathOf(entity)}?meta=true&sort=${encodeURIComponent(this.copy.about(entity).id)}&limit=${pageSize}&offset=${offset}`);
      if (last !== null && objects[0]?.id !== last) {
        if (++tries > 5) throw new Away("unreachable", `${entity} changes faster than it can be read; it is tried again`);
        found.clear();
        [offset, last] = [0, null];
        continue;
      }
      objects.forEach(({ id }, index) => found.set(id, items[index]));
      if (offset + items.length >= total || items.length <= (last === null ? 0 : 1)) break;
      last = objects.at(-1).id;
      offset += items.length - 1;
    }
    await this.copy.change(async transaction => {
      for (const [uri, row] of await transaction.entries("rows", `${entity}/`)) {
        const id = idOf(uri);
        if (!found.has(id)) transaction.delete("rows", uri);
        else if (same(row.record, found.get(id))) found.delete(id);
      }
      for (const [id, record] of found) transaction.put("rows", uriOf(entity, id), { record });
      const note = await transaction.get("notes", `kept ${entity}`);
      transaction.put("notes", `kept ${entity}`, { ...note, complete: true });
    });
  }

  // MARK: The queue

  /**
   * Sends what can go, in the order in which it was written; what names an object that has to be created first waits for it.
   * @returns whether anything came to its end
   */
  async send(isMeant, between = async () => {}) {
    const entries = await this.copy.disk.run(transaction => transaction.entries("queue"));
    entries.sort(([, a], [, b]) => a.at - b.at);
    const creates = new Set(entries.filter(([, entry]) => entry.create).map(([uri]) => uri));
    const waits = ([uri, entry]) => this.copy.about(entry.entity).references.some(({ entity, field }) =>
      [entry.set[field]].flat().some(id => uriOf(entity, id) !== uri && creates.has(uriOf(entity, id))));
    const open = entries.filter(([, entry]) => !entry.problem && isMeant(entry));
    // Two that name each other: one has to go first.
    const isKnot = open.length && open.every(waits) && ![...entries].some(([, entry]) => entry.problem);
    let sent = 0;
    for (const each of isKnot ? open.slice(0, 1) : open) {
      if (waits(each) && !isKnot) continue;
      const [uri, { entity, id, create }] = each;
      if (!await this.sendOne(entity, create ? id : idOf(this.copy.present(uri)))) continue;
      creates.delete(uri);
      sent += 1;
      await between();
    }
    return sent > 0;
  }

  /** @returns whether the write, as it was, is done */
  async sendOne(entity, id) {
    for (let turn = 0; turn < 8; turn += 1) {
      const uri = uriOf(entity, id);
      const entry = await this.copy.disk.run(transaction => transaction.get("queue", uri));
      if (!entry) return true;
      if (entry.problem) return false;
      if (entry.create) {
        const next = await this.sendCreate(entry);
        if (next === undefined) return !(await this.copy.disk.run(transaction => transaction.get("queue", uri)))?.problem;
        id = next;
        continue;
      }
      const row = await this.copy.disk.run(transaction => transaction.get("rows", uri));
      const isDone = turn === 0 && row?.etag ? await this.sendEdit(entry, row.record, row.etag) : await this.readAndSend(entry);
      if (isDone !== undefined) return isDone;
    }
    return false;
  }

  async readAndSend(entry) {
    const answer = await ask("GET", pathOf(entry.entity, entry.id));
    if (answer.status === 404) return this.gone(entry);
    if (!answer.isGood) return this.refuse(entry, answer);
    await this.copy.change(transaction => this.keep(transaction, entry.entity, entry.id, answer));
    return this.sendEdit({ ...entry, id: answer.id ?? entry.id }, answer.value, answer.etag);
  }

  /** @returns the address to go on with; undefined where there is nothing more to do */
  async sendCreate({ entity, id, set, sent: [before] }) {
    const body = before ?? set, uri = uriOf(entity, id);
    if (!before) await this.mark(uri, body);
    const answer = await ask("POST", pathOf(entity), body, { "Idempotency-Key": id });
    if (!answer.isGood && answer.status !== 404) {
      await this.refuse({ entity, id }, answer);
      return undefined;
    }
    const present = answer.isGood ? answer.id ?? id : id;
    await this.copy.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      if (!entry) return;
      settled(entry, body);
      entry.create = false;
      if (entry.remove) entry.base = answer.isGood ? answer.value : {};
      if (isEmpty(entry)) transaction.delete("queue", uri);
      else transaction.put("queue", uri, entry);
      if (!answer.isGood) transaction.delete("rows", uri);
    });
    if (!answer.isGood) return present;
    await this.copy.change(transaction => this.keep(transaction, entity, id, answer));
    return present;
  }

  /** @returns whether it is done; undefined where the record is another than the one with this tag */
  async sendEdit(entry, current, etag) {
    const { entity, id } = entry, uri = uriOf(entity, id), { go, clash } = divided(entry, current, this.copy.about(entity).readonly);
    if (entry.remove && clash.length) return this.conflict(entry, current, clash);
    if (!entry.remove && !go.length) return this.finish(uri, without(entry.set, clash), current, clash);
    const part = Object.fromEntries(go.map(member => [member, entry.set[member]]));
    const removed = entry.remove ? [] : go.filter(member => part[member] === undefined);
    const query = removed.map(member => `remove=${encodeURIComponent(member)}`).join("&");
    if (!entry.remove) await this.mark(uri, part);
    const answer = entry.remove ? await ask("DELETE", pathOf(entity, id), undefined, { "If-Match": etag })
      : await ask("PATCH", pathOf(entity, id) + (query && `?${query}`), part, { "If-Match": etag });
    if (answer.status === 412) return this.forget(uri);
    if (answer.status === 404) return this.gone(entry);
    if (!answer.isGood) return this.refuse(entry, answer);
    return this.finish(uri, without(entry.set, clash), answer.value, clash, answer);
  }

  /** Notes what is about to be sent, for a repeat when no answer comes. */
  async mark(uri, values) {
    await this.copy.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      if (entry) transaction.put("queue", uri, { ...entry, sent: [...entry.sent, values] });
    });
  }

  /** What was sent last did not happen. */
  async forget(uri) {
    await this.copy.change(async transaction => {
      const entry = await transaction.get("queue", uri), row = await transaction.get("rows", uri);
      if (entry && !entry.remove) transaction.put("queue", uri, { ...entry, sent: entry.sent.slice(0, -1) });
      if (row) transaction.put("rows", uri, { record: row.record });
    });
  }

  async finish(uri, done, record, clash, answer) {
    await this.copy.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      if (entry?.remove && answer?.status === 204) {
        transaction.delete("queue", uri);
        transaction.delete("rows", uri);
        return;
      }
      if (answer) transaction.put("rows", uri, { record, etag: answer.etag });
      if (!entry) return;
      settled(entry, done);
      if (entry.remove) entry.base = record;
      else if (clash.length) Object.assign(entry, { problem: { kind: "conflict", fields: clash }, theirs: record });
      if (isEmpty(entry)) transaction.delete("queue", uri); else transaction.put("queue", uri, entry);
    });
    return !clash.length;
  }

  async stop({ entity, id }, change) {
    const uri = uriOf(entity, id);
    await this.copy.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      if (entry) transaction.put("queue", uri, Object.assign(entry, change));
    });
    return false;
  }

  conflict(entry, theirs, fields) { return this.stop(entry, { problem: { kind: "conflict", fields }, theirs }); }

  refuse(entry, { status, value = {} }) {
    const { code = "refused", detail = `the gateway answers with ${status}`, fields = [] } = value;
    return this.stop(entry, { sent: [], problem: { kind: "refused", status, code, message: detail, fields } });
  }

  async gone(entry) {
    const uri = uriOf(entry.entity, entry.id);
    await this.copy.change(async transaction => {
      const now = await transaction.get("queue", uri);
      transaction.delete("rows", uri);
      if (!now || now.remove) transaction.delete("queue", uri);
      else transaction.put("queue", uri, { ...now, theirs: null, problem: { kind: "conflict", fields: Object.keys(now.set) } });
    });
    return entry.remove;
  }
}

// MARK: What a page uses

/** One entity of the gateway, as the page has it. Its methods read the page's own copy. */
export class Collection {
  #local;

  constructor(local, name) {
    this.#local = local;
    /** The entity's name. */
    this.name = name;
  }

  /** The rows that a query means: `{where, sort, limit, offset}`. Waits for the first copy, unless the gateway does not answer. */
  async all(query) { return (await this.query(query)).items; }

  /** As `all`, with the number of rows that there are without `limit` and `offset`. */
  async query(query) {
    await this.#local.ready(this.name);
    const { hand, total } = this.#local.copy.select(this.name, query);
    return { items: hand(), total };
  }

  /** The row with this identifier, or one that it had before; undefined where there is none. */
  async get(id) {
    const { copy } = this.#local;
    await this.#local.ready(this.name);
    const find = () => {
      const present = idOf(copy.present(uriOf(this.name, String(id))));
      const row = copy.shown.get(this.name)?.get(present);
      return row && copy.handed(this.name, present, row);
    };
    if (!find() && !copy.queue.has(uriOf(this.name, String(id)))) await this.#local.lookUp(this.name, String(id));
    return find();
  }

  /**
   * Creates a record without an identifier; else sends the members that differ from the row as the page was given it (from the
   * present row where the record is not one that was given, nor a spread copy of one). A member that is undefined is removed.
   * @returns the row, at once; it is kept by then, and sent as soon as the gateway answers
   */
  async save(record) {
    const { copy } = this.#local, given = this.idOf(record);
    await this.#local.known(this.name);
    if (given === undefined) return this.#create(record);
    if (!copy.shown.get(this.name)?.has(idOf(copy.present(uriOf(this.name, given))))) await this.get(given);
    const uri = copy.present(uriOf(this.name, given)), members = { ...record };
    delete members[origin];
    await copy.change(async transaction => {
      const row = await transaction.get("rows", uri), old = await transaction.get("queue", uri);
      const present = overlaid(row, old, copy.about(this.name).id);
      if (!present) throw new AtmosphereError("notFound", `there is no ${uri}; it was deleted, or never was here`);
      const seen = record[origin]?.row ?? present, entry = old ?? newEntry(this.name, idOf(uri));
      for (const [member, value] of Object.entries(members)) {
        if (same(value, seen[member]) || member === copy.about(this.name).id) continue;
        if (!(member in entry.set)) entry.base[member] = member in (record[origin]?.row ?? {}) ? seen[member] : row?.record[member];
        entry.set[member] = value;
        if (entry.create || entry.sent.length || entry.problem || !same(value, entry.base[member])) continue;
        delete entry.set[member];
        delete entry.base[member];
      }
      if (row) entry.whole = row.record;
      if (entry.problem?.kind === "refused") delete entry.problem;
      if (!isEmpty(entry)) transaction.put("queue", uri, entry); else if (old) transaction.delete("queue", uri);
    }, true);
    this.#local.send();
    return copy.handed(this.name, idOf(uri), copy.shown.get(this.name).get(idOf(uri)));
  }

  async #create(record) {
    const { copy } = this.#local, id = crypto.randomUUID();
    const set = without(record, [copy.about(this.name).id]);
    await copy.change(async transaction =>
      transaction.put("queue", uriOf(this.name, id), { ...newEntry(this.name, id), create: true, set }), true);
    this.#local.send();
    return copy.handed(this.name, id, copy.shown.get(this.name).get(id));
  }

  /** Deletes the object with this identifier, or of this row. */
  async remove(id) {
    const { copy } = this.#local;
    const given = typeof id === "object" ? this.idOf(id) : String(id);
    await this.#local.known(this.name);
    const uri = copy.present(uriOf(this.name, given));
    if (!copy.shown.get(this.name)?.has(idOf(uri))) await this.get(given);
    await copy.change(async transaction => {
      const row = await transaction.get("rows", uri), old = await transaction.get("queue", uri);
      if (old?.remove || (!row && !old)) return;
      if (old?.create && !old.sent.length) return transaction.delete("queue", uri);
      const entry = old ?? newEntry(this.name, idOf(uri));
      Object.assign(entry, { remove: true, set: {}, base: entry.problem?.fields && entry.theirs || row?.record || {} });
      delete entry.problem;
      transaction.put("queue", uri, entry);
    }, true);
    this.#local.send();
  }

  /**
   * Calls with `(rows, total)` at once and after each change of them, whoever made it.
   * @returns {() => void} ends it
   */
  subscribe(query, call) {
    if (typeof query === "function") [query, call] = [undefined, query];
    const { copy } = this.#local;
    let last, isOver = false, isDue = false;
    const look = () => {
      isDue = false;
      if (isOver) return;
      const { items, total, hand } = copy.select(this.name, query);
      if (last && total === last.total && items.length === last.items.length && items.every((row, at) => row === last.items[at])) return;
      last = { items, total };
      call(hand(), total);
    };
    const listener = entities => {
      if (isDue || (entities && !entities.has(this.name))) return;
      isDue = true;
      queueMicrotask(look);
    };
    selected([], query);
    this.#local.ready(this.name).then(() => {
      look();
      copy.listeners.add(listener);
    }, error => this.#local.fail(error));
    return () => {
      isOver = true;
      copy.listeners.delete(listener);
    };
  }

  /** The identifier of a row, as a text; undefined where the record is new. Also for entities whose records do not hold it. */
  idOf(record) {
    const id = record[origin]?.id ?? record[this.#local.copy.about(this.name).id];
    return id == null ? undefined : String(id);
  }
}

/**
 * What `atmosphere()` opens. An EventTarget: `problem` tells of what went wrong behind the page (`detail.code`, `detail.message`),
 * `status` of a change of `status`.
 */
export class Atmosphere extends EventTarget {
  #collections = new Map();
  #exchange = null;
  #told = { state: "starting", message: "", gateway: null };
  #storage;

  constructor(copy) {
    super();
    this.copy = copy;
    Object.defineProperty(this, "copy", { enumerable: false });
    this.#storage = copy.disk.keeps ? "kept" : "memory";
    copy.listeners.add(() => this.#announce());
    copy.channel?.addEventListener("message", ({ data }) => this.#hear(data));
    for (const name of ["online", "focus"]) addEventListener(name, () => this.send());
    navigator.locks.request(copy.disk.keeps ? "atmosphere" : `atmosphere ${crypto.randomUUID()}`, () => this.#lead());
    copy.channel?.postMessage({ asks: true });
  }

  /** One entity of the gateway; the same object each time. The page keeps a copy of it from now on. */
  collection(name) {
    if (!this.#collections.has(name)) {
      this.#collections.set(name, new Collection(this, name));
      this.#keep(name).catch(error => this.fail(error));
    }
    return this.#collections.get(name);
  }

  /**
   * How it stands: `state` (starting, connected, unreachable, signedOut, foreign), `message` for a person, `storage` (kept, memory,
   * full), `pending`, `conflicts` and `refused` (writes of this browser), `gateway` (its own status, as `/v1/status` says).
   */
  get status() {
    const { copy } = this;
    return {
      ...this.#told, storage: this.#storage,
      pending: copy.count(entry => !entry.problem),
      conflicts: copy.count(entry => entry.problem?.kind === "conflict"),
      refused: copy.count(entry => entry.problem?.kind === "refused"),
    };
  }

  /** Calls with the status at once and after each change. @returns {() => void} ends it */
  subscribe(call) {
    const listener = () => call(this.status);
    this.addEventListener("status", listener);
    listener();
    return () => this.removeEventListener("status", listener);
  }

  /**
   * What a person has to decide: writes of this browser (`place` is `page`), and changes that the gateway holds between itself and
   * the API's server (`gateway`; only while it answers). `kind` is conflict, refused or unknown.
   */
  async conflicts() {
    const own = [...this.copy.queue.values()].filter(entry => entry.problem).map(entry => ({
      place: "page", entity: entry.entity, id: entry.id, ...entry.problem,
      base: entry.base, mine: entry.remove ? null : entry.set, theirs: entry.theirs ?? null,
    }));
    if (this.status.state !== "connected") return own;
    const kinds = [["conflicts", "conflict"], ["rejected", "refused"], ["unknown", "unknown"]];
    const others = await Promise.all(kinds.map(async ([path, kind]) =>
      (await got("GET", `/v1/${path}`)).items.map(item =>
        ({ ...item, place: "gateway", kind, entity: entityOf(item.uri), id: idOf(item.uri) }))));
    return [...own, ...others.flat()];
  }

  /**
   * Decides a conflict.
   * @param item from `conflicts()`
   * @param {"mine" | "theirs" | object} decision or the members to set in the place of both; what the gateway takes besides
   *   (`{decision: "adopt", adopt: "43"}`) for its own
   */
  async resolve(item, decision) {
    if (item.place === "gateway") {
      const body = typeof decision === "string" ? { decision } : decision.decision ? decision : { decision: "set", set: decision };
      return this.#decideThere(item, "resolve", body);
    }
    if (decision === "theirs") return this.discard(item);
    await this.#decideHere(item, async (transaction, uri, entry) => {
      if (entry.theirs === null && !entry.remove) return this.#createAgain(transaction, entry, decision);
      const set = typeof decision === "object" ? decision : entry.set;
      const base = entry.remove ? entry.theirs ?? {} : Object.fromEntries(Object.keys(set).map(member => [member, entry.theirs?.[member]]));
      const { theirs, problem, ...rest } = entry;
      transaction.put("queue", uri, { ...rest, set, base, sent: [], remove: entry.remove && typeof decision === "string" });
    });
  }

  /** It was deleted on the other side, and is wanted: a new object, which the old address leads to. */
  #createAgain(transaction, entry, decision) {
    const { entity, id: old } = entry, id = crypto.randomUUID(), about = this.copy.about(entity);
    const set = without({ ...entry.whole, ...entry.set, ...(typeof decision === "object" ? decision : {}) }, [about.id, ...about.readonly]);
    transaction.delete("queue", uriOf(entity, old));
    transaction.put("notes", `alias ${uriOf(entity, old)}`, id);
    transaction.put("queue", uriOf(entity, id), { ...newEntry(entity, id), create: true, set });
  }

  /** Another try for what was refused: of one object, or of all. */
  async retry(item) {
    if (item?.place === "gateway") return this.#decideThere(item, "retry");
    const uris = item ? [uriOf(item.entity, item.id)] : [...this.copy.queue.keys()];
    await this.copy.change(async transaction => {
      for (const uri of uris) {
        const entry = await transaction.get("queue", uri);
        if (entry?.problem?.kind !== "refused") continue;
        const { problem, ...rest } = entry;
        transaction.put("queue", uri, rest);
      }
    }, true);
    this.send();
    if (!item && this.status.state === "connected") await got("POST", "/v1/retry");
  }

  /** Drops what was written here and has not been sent: `{entity, id}`, or an item of `conflicts()`. */
  async discard(item) {
    if (item.place === "gateway") return this.#decideThere(item, "discard");
    await this.#decideHere(item, async (transaction, uri) => transaction.delete("queue", uri));
  }

  async #decideHere(item, work) {
    const uri = this.copy.present(uriOf(item.entity, item.id));
    await this.copy.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      if (entry) await work(transaction, uri, entry);
    }, true);
    this.send();
  }

  async #decideThere(item, what, body = {}) {
    await got("POST", `${pathOf(item.entity, item.id)}/${what}`, body);
    this.send();
  }

  // MARK: For this module

  /** Resolves when the entity's copy can be shown, or no gateway answers that could give one. */
  async ready(entity) {
    await this.#until(() => this.copy.complete.has(entity) || this.#told.state !== "starting" && (
      this.#told.state !== "connected" || (this.copy.entities && !this.copy.entities.some(each => each.name === entity))));
    await this.known(entity);
  }

  /** @throws AtmosphereError where the gateway has no such entity, as far as one has answered yet */
  async known(entity) {
    if (!this.copy.entities || this.copy.entities.some(each => each.name === entity)) return;
    throw new AtmosphereError("unknownName",
      `the gateway has no “${entity}”; it has ${this.copy.entities.map(each => each.name).join(", ")}`);
  }

  /** Asks the gateway for an object that is not in the copy; it may have another address by now. */
  async lookUp(entity, id) {
    if (this.status.state !== "connected") return;
    const answer = await ask("GET", pathOf(entity, id)).catch(() => ({}));
    if (answer.isGood) {
      await this.copy.change(transaction => Exchange.prototype.keep.call({ copy: this.copy }, transaction, entity, id, answer));
    }
  }

  /** There is something to do for the leader. */
  send() {
    if (this.#exchange) this.#exchange.ask(); else this.copy.channel?.postMessage({ asks: true });
  }

  /** Tells of what no promise of the page's does. */
  fail(error) {
    if (error.code === "quota") this.#storage = "full";
    this.dispatchEvent(new CustomEvent("problem", { detail: { code: error.code ?? "failed", message: error.message } }));
    this.#announce();
  }

  async #keep(entity) {
    await this.copy.change(async transaction => {
      const note = await transaction.get("notes", `kept ${entity}`);
      transaction.put("notes", `kept ${entity}`, { complete: false, ...note, asked: Date.now() });
    });
    this.send();
  }

  async #lead() {
    this.#exchange = new Exchange(this.copy, part => this.#tell(part));
    await this.#forgetUnused().catch(error => this.fail(error));
    await this.#exchange.run();
  }

  /** Lets go of collections that no page has asked for in a month, and that nothing waits in. */
  async #forgetUnused() {
    const queued = new Set([...this.copy.queue.keys()].map(entityOf));
    await this.copy.change(async transaction => {
      for (const [key, { asked }] of await transaction.entries("notes", "kept ")) {
        const entity = key.slice(5);
        if (Date.now() - asked < 30 * 86400000 || queued.has(entity)) continue;
        transaction.delete("notes", key);
        for (const [uri] of await transaction.entries("rows", `${entity}/`)) transaction.delete("rows", uri);
      }
    });
  }

  #tell({ problem, ...part }) {
    if (problem) {
      this.fail(problem);
      this.copy.channel?.postMessage({ problem });
    }
    this.#told = { ...this.#told, ...part };
    this.copy.channel?.postMessage({ told: this.#told });
    this.#announce();
  }

  #hear({ touched, told, asks, problem }) {
    if (touched !== undefined) this.copy.refresh(touched);
    if (problem) this.fail(problem);
    if (told) this.#told = told;
    if (told) this.#announce();
    if (asks && this.#exchange) {
      this.copy.channel.postMessage({ told: this.#told });
      this.#exchange.ask();
    }
  }

  #last = "";

  #announce() {
    const text = JSON.stringify(this.status);
    if (text === this.#last) return;
    this.#last = text;
    this.dispatchEvent(new Event("status"));
  }

  #until(test) {
    return new Promise(resolve => {
      const listener = () => {
        if (!test()) return;
        this.removeEventListener("status", listener);
        this.copy.listeners.delete(listener);
        resolve();
      };
      this.addEventListener("status", listener);
      this.copy.listeners.add(listener);
      listener();
    });
  }
}

// MARK: Opening

let opened;

/**
 * Opens the page's copy. The same object each time.
 * @param {{worker?: string | false}} [options] the service worker that lets the page open while the gateway does not answer;
 *   false for none
 * @throws AtmosphereError `browser` where the browser lacks something that is needed; the message names it
 */
export function atmosphere(options) {
  return opened ??= open(options);
}

async function open({ worker = "/atmosphere-worker.js" } = {}) {
  const lacking = missing().filter(each => each.needed);
  if (lacking.length) {
    throw new AtmosphereError("browser", "this page needs a newer browser: this one lacks "
      + lacking.map(({ name, purpose }) => `${name}, to ${purpose}`).join("; "));
  }
  let disk;
  try { disk = await Disk.open(); } catch { disk = new Memory(); }
  const copy = new Copy(disk);
  await copy.refresh(null);
  if (worker && navigator.serviceWorker) keepShell(worker).catch(error => console.warn(`${worker}: ${error.message}`));
  return new Atmosphere(copy);
}

/** Lets the service worker keep the files that this page has loaded. */
async function keepShell(url) {
  const policy = globalThis.trustedTypes?.createPolicy("atmosphere", { createScriptURL: () => url });
  await navigator.serviceWorker.register(policy ? policy.createScriptURL(url) : url, { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  if (document.readyState !== "complete") await new Promise(resolve => addEventListener("load", resolve, { once: true }));
  active.postMessage({ keep: [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)] });
}
