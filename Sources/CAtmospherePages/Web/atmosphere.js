/**
 * The collections of `atmos gateway` in a page; `atmosphere.d.ts` and docs/JAVASCRIPT.md say how they are used.
 *
 * One tab of a browser profile, the leader, talks to the gateway for all, as long as it holds a Web Lock. Every tab has in memory
 * what stands in IndexedDB, and reads again what another one has touched.
 */

/** The copy and the writes that wait, by address (`tasks/7`), and what else is known. */
const lists = ["rows", "queue", "notes"];
/** In milliseconds. */
const patience = 30000;
const silence = "the gateway does not answer; what you write is kept here and sent when it does";

export class AtmosphereError extends Error {
  constructor(code, message, problem) {
    super(message);
    Object.assign(this, { name: "AtmosphereError", code, problem });
  }
}

/** No answer that could be used; the same goes again later. */
class Away extends AtmosphereError {}

const features = [
  ["EventSource", true, "hear of changes"],
  ["BroadcastChannel", true, "keep tabs in step"],
  ["navigator.locks", true, "send each write once"],
  ["crypto.randomUUID", true, "name what is created (open the page at 127.0.0.1 or by https)"],
  ["indexedDB", false, "keep the copy and unsent writes when the page is closed"],
  ["navigator.serviceWorker", false, "open the page while the gateway does not answer"],
  ["JSON.rawJSON", false, "show whole numbers beyond 2^53 exactly"],
];

export function missing() {
  return features.map(([name, needed, purpose]) => ({ name, needed, purpose }))
    .filter(({ name }) => !name.split(".").reduce((object, part) => object?.[part], globalThis));
}

/** Whole numbers beyond 2^53 become BigInt, where the browser shows how they were written. */
function parsed(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => typeof value === "number" && !Number.isSafeInteger(value)
    && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context.source) : value);
}

function written(value) {
  return JSON.stringify(value, (_, each) =>
    typeof each !== "bigint" ? each : JSON.rawJSON ? JSON.rawJSON(String(each)) : Number(each));
}

function canonical(value) {
  return JSON.stringify(value, (_, each) => typeof each === "bigint" ? `${each}n`
    : each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => a < b ? -1 : 1)) : each);
}

const same = (a, b) => a === b || (typeof a === typeof b && typeof a === "object" && canonical(a) === canonical(b));
const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

// MARK: Queries

const collator = new Intl.Collator(undefined, { numeric: true });
const rank = value => value == null ? 0 : typeof value === "boolean" ? 1
  : typeof value === "number" || typeof value === "bigint" ? 2 : typeof value === "string" ? 3 : 4;

function compared(a, b) {
  const kind = rank(a);
  if (kind !== rank(b)) return kind - rank(b);
  if (kind === 3) return collator.compare(a, b);
  return kind > 3 ? 0 : (a > b) - (a < b);
}

const ordered = test => (a, b) => rank(a) === rank(b) && test(compared(a, b));
const isPlain = value => rank(value) % 4 > 0;
const lower = value => String(value).toLowerCase();
const conditions = {
  "=": (a, b) => same(a ?? null, b ?? null),
  "!=": (a, b) => !same(a ?? null, b ?? null),
  "<": ordered(order => order < 0),
  "<=": ordered(order => order <= 0),
  ">": ordered(order => order > 0),
  ">=": ordered(order => order >= 0),
  "*=": (a, b) => Array.isArray(a) ? a.some(each => same(each, b)) : isPlain(a) && String(a).includes(b),
  "~=": (a, b) => Array.isArray(a) ? a.some(each => lower(each) === lower(b)) : isPlain(a) && lower(a).includes(lower(b)),
  "^=": (a, b) => isPlain(a) && String(a).startsWith(b),
};

function condition(where) {
  if (!where) return () => true;
  if (typeof where === "function") return where;
  const tests = Object.entries(where).flatMap(([member, wanted]) => {
    const all = wanted && typeof wanted === "object" && !Array.isArray(wanted) ? Object.entries(wanted) : [["=", wanted]];
    return all.map(([sign, value]) => {
      const test = conditions[sign];
      if (!test) throw new AtmosphereError("usage", `where: ${member}: write one of ${Object.keys(conditions).join(" ")}`);
      return row => test(row[member], value);
    });
  });
  return row => tests.every(test => test(row));
}

function order(sort) {
  if (typeof sort === "function") return sort;
  const members = (Array.isArray(sort) ? sort : sort.split(",")).map(text =>
    text.startsWith("-") ? [text.slice(1), -1] : [text, 1]);
  return (a, b) => members.reduce((result, [member, sign]) => result || sign * compared(a[member], b[member]), 0);
}

function selected(rows, { where, sort, limit, offset = 0 } = {}) {
  const items = [...rows].filter(condition(where));
  if (sort) items.sort(order(sort));
  return { items: items.slice(offset, limit == null ? undefined : offset + limit), total: items.length };
}

// MARK: The page's copy

const answered = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function openDisk() {
  const request = indexedDB.open("atmosphere", 1);
  request.onupgradeneeded = () => lists.forEach(name => request.result.createObjectStore(name));
  return answered(request);
}

function storageError(error) {
  return error?.name !== "QuotaExceededError" ? error : new AtmosphereError("quota", "the browser has no more room, and did not "
    + "save this; what was saved before is kept. Free space on the disk or delete data of other sites, then save again");
}

const uriOf = (entity, id) => `${entity}/${id}`;
const entityOf = uri => uri.slice(0, uri.indexOf("/"));
const idOf = uri => uri.slice(uri.indexOf("/") + 1);
const origin = Symbol("atmosphere");
const store = (map, key, value) => value === undefined ? map.delete(key) : map.set(key, value);

class Copy extends EventTarget {
  rows = new Map();
  queue = new Map();
  notes = new Map();
  /** The rows with what waits, by entity and identifier. */
  shown = new Map();
  addresses = new WeakMap();
  isFull = false;
  turn = Promise.resolve();

  constructor(disk) {
    super();
    this.disk = disk;
    this.channel = disk && new BroadcastChannel("atmosphere");
  }

  /** Does all of `work` or nothing; to set nothing deletes. */
  run(work, mode = "readonly", durability = "relaxed") {
    return new Promise((resolve, reject) => {
      const transaction = this.disk.transaction(lists, mode, { durability });
      const list = name => transaction.objectStore(name);
      let result, failure;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(storageError(failure ?? transaction.error));
      work({
        get: (name, key) => answered(list(name).get(key)),
        set: (name, key, value) => void (value === undefined ? list(name).delete(key) : list(name).put(value, key)),
        entries: async name => {
          const [keys, values] = await Promise.all([answered(list(name).getAllKeys()), answered(list(name).getAll())]);
          return keys.map((key, index) => [key, values[index]]);
        },
      }).then(value => { result = value; }, error => {
        failure = error;
        try { transaction.abort(); } catch { reject(error); }
      });
    });
  }

  /** The same for this page alone. `work` throws before it writes. */
  runInMemory(work) {
    return work({
      get: async (name, key) => structuredClone(this[name].get(key)),
      set: (name, key, value) => store(this[name], key, structuredClone(value)),
      entries: async name => structuredClone([...this[name]]),
    });
  }

  /** Writes, shows it in this tab, and tells the others. */
  async change(work, durability) {
    const touched = new Map();
    const recording = transaction => work({
      ...transaction,
      set(name, key, value) {
        touched.set(name + key, [name, key]);
        transaction.set(name, key, value);
      },
    });
    const done = this.disk ? this.run(recording, "readwrite", durability) : this.turn.then(() => this.runInMemory(recording));
    if (!this.disk) this.turn = done.catch(() => {});
    await done.catch(error => {
      this.isFull = error.code === "quota";
      if (this.isFull) this.emit("problem", error);
      throw error;
    });
    this.isFull = false;
    if (!touched.size) return;
    const keys = this.disk && touched.size > 2000 ? null : [...touched.values()];
    this.channel?.postMessage({ keys });
    await this.refresh(keys);
  }

  /** Reads again what was touched; null is everything. */
  refresh(keys) {
    return this.turn = this.turn.then(async () => {
      const values = !this.disk ? keys
        : await this.run(async ({ get, entries }) => keys
          ? Promise.all(keys.map(async ([name, key]) => [name, key, await get(name, key)]))
          : (await Promise.all(lists.map(async name => (await entries(name)).map(each => [name, ...each])))).flat());
      if (!keys) [...lists, "shown"].forEach(name => this[name].clear());
      if (this.disk) values.forEach(([name, key, value]) => store(this[name], key, value));
      for (const [name, key] of values) if (name !== "notes") this.show(key);
      this.emit("change", keys && new Set(keys.map(([, key]) => entityOf(key))));
    }).catch(error => this.emit("problem", error));
  }

  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  show(uri) {
    const entity = entityOf(uri), id = idOf(uri), row = this.overlaid(entity, id, this.rows.get(uri), this.queue.get(uri));
    if (!this.shown.has(entity)) this.shown.set(entity, new Map());
    store(this.shown.get(entity), id, row);
    if (row) this.addresses.set(row, id);
  }

  overlaid(entity, id, row, entry) {
    if (entry?.remove || (!row && !entry?.create)) return undefined;
    const result = { ...(row?.record ?? { [this.about(entity).id]: id }), ...entry?.set };
    for (const name in entry?.set) if (entry.set[name] === undefined) delete result[name];
    return result;
  }

  isComplete(entity) { return this.notes.get(`kept ${entity}`)?.complete; }

  get entities() { return this.notes.get("entities"); }

  about(entity) { return this.entities?.find(({ name }) => name === entity) ?? { id: "id", readonly: [], references: [] }; }

  /** The present address of an object that may have had another. */
  present(uri) {
    for (let next; (next = this.notes.get(`alias ${uri}`));) uri = next;
    return uri;
  }

  find(uri) { return this.shown.get(entityOf(uri))?.get(idOf(uri)); }

  /** A row that the page may change. */
  handed(row) {
    if (!row) return undefined;
    const own = Object.fromEntries(Object.entries(row).map(([member, value]) =>
      [member, typeof value === "object" ? structuredClone(value) : value]));
    return Object.assign(own, { [origin]: { id: this.addresses.get(row), row } });
  }

  /** Puts what `work` makes of the write that waits in its place. */
  amend(uri, work, durability) {
    return this.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      if (!entry) return;
      const next = await work(entry, transaction);
      transaction.set("queue", uri, next && !isEmpty(next) ? next : undefined);
    }, durability);
  }

  /** Puts a record that was answered into the copy; it may have got another address. */
  async keep(transaction, entity, id, { status, isGood, value, etag, id: present = id }) {
    const uri = uriOf(entity, present);
    if (status === 404) transaction.set("rows", uri);
    if (!isGood) return;
    if (present !== id) await this.rename(transaction, uriOf(entity, id), uri, value);
    transaction.set("rows", uri, { record: value, etag });
  }

  /** In the copy, in the queue, and in what other writes say of it. */
  async rename({ get, set, entries }, old, uri, record) {
    const entity = entityOf(uri), moved = await get("queue", old);
    set("notes", `alias ${old}`, uri);
    // Who stands at an address has no other one.
    set("notes", `alias ${uri}`);
    set("rows", old);
    // A write that waits there goes first; then this one finds what it made.
    if (moved && !moved.create && !await get("queue", uri)) {
      set("queue", old);
      set("queue", uri, moved);
    }
    for (const [key, entry] of await entries("queue")) {
      let isChanged = false;
      for (const { entity: target, field } of this.about(entityOf(key)).references) {
        if (target !== entity || !(field in entry.set)) continue;
        const fixed = value => String(value) === idOf(old) ? record[this.about(entity).id] ?? idOf(uri) : value;
        const value = entry.set[field];
        entry.set[field] = Array.isArray(value) ? value.map(fixed) : fixed(value);
        isChanged ||= !same(value, entry.set[field]);
      }
      if (isChanged) set("queue", key, entry);
    }
  }
}

// MARK: A write that waits

/**
 * One for each object: what is set, what the page had seen of it (`base`), and what was sent without an answer (`sent`). Somebody
 * else has changed a member only where it is as in none of them.
 */
const newEntry = () => ({ at: performance.timeOrigin + performance.now(), set: {}, base: {}, sent: [] });

const isEmpty = entry => !entry.create && !entry.remove && !Object.keys(entry.set).length;

/** Which members can go, and which somebody else has changed since. */
function divided({ remove, set, base, sent }, current, readonly) {
  const members = remove ? Object.keys({ ...base, ...current }).filter(member => !readonly.includes(member)) : Object.keys(set);
  const go = [], clash = [];
  for (const member of members) {
    const value = current[member];
    if (!remove && same(value, set[member])) continue;
    const isExpected = same(value, base[member]) || sent.some(each => member in each && same(value, each[member]));
    (isExpected ? go : clash).push(member);
  }
  return { go, clash };
}

/** A write of which the values `done` stand there. */
function settled(entry, done) {
  for (const [member, value] of Object.entries(done)) {
    if (member in entry.set && !same(entry.set[member], value)) {
      entry.base[member] = value;
    } else {
      delete entry.set[member];
      delete entry.base[member];
    }
  }
  return { ...entry, sent: [] };
}

const conflict = (entry, theirs, fields) => ({ ...entry, theirs, problem: { kind: "conflict", fields } });

// MARK: The gateway

const pathOf = (entity, id) => `/v1/objects/${encodeURIComponent(entity)}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;

/** Throws where no answer says what became of it. */
async function ask(method, path, body, headers = {}) {
  let answer, text, value;
  if (body !== undefined) headers = { ...headers, "Content-Type": "application/json" };
  try {
    answer = await fetch(path, {
      method, headers, body: body && written(body), cache: "no-store", signal: AbortSignal.timeout?.(patience),
    });
    text = await answer.text();
  } catch {
    throw new Away("unreachable", silence);
  }
  const { status, ok: isGood } = answer, place = answer.headers.get("Content-Location");
  try { value = text ? parsed(text) : {}; } catch { value = { detail: `${path} answers with no JSON` }; }
  if (status === 401) throw new Away("signedOut", "the gateway does not know this browser: open the link that it printed");
  if ([429, 502, 503, 504, 507].includes(status)) throw new Away("unreachable", value.detail ?? silence);
  return {
    status, isGood, value, etag: answer.headers.get("ETag"),
    id: place ? decodeURIComponent(place.slice(place.lastIndexOf("/") + 1)) : undefined,
  };
}

async function got(method, path, body) {
  const { isGood, status, value } = await ask(method, path, body);
  if (!isGood) throw new AtmosphereError(value.code ?? "refused", value.detail ?? `${path}: ${status}`, value);
  return value;
}

/** What the leader does: sends the queue, follows the events, keeps the copy. */
class Exchange {
  unread = new Map();
  failures = 0;

  constructor(copy, tell) {
    Object.assign(this, { copy, tell });
  }

  ask() {
    this.isAsked = true;
    this.wake?.();
  }

  async run() {
    for (;;) {
      this.isAsked = false;
      try {
        await this.connect();
        this.failures = 0;
        this.tell({ state: "connected", message: "" });
        await this.work();
        if (this.isAsked) continue;
        await new Promise(resolve => { this.wake = resolve; });
      } catch (error) {
        const isAway = error instanceof Away, isOpen = this.stream?.readyState === EventSource.OPEN;
        // Its events may have stopped, too, and it does not know.
        if (isAway) this.stream?.close();
        else if (error.message !== this.told) this.copy.emit("problem", error);
        this.told = error.message;
        this.tell({ state: isAway ? error.code : isOpen ? "connected" : "unreachable", message: error.message });
        await new Promise(resolve => {
          this.wake = resolve;
          setTimeout(resolve, Math.min(250 * 2 ** this.failures++, 5000));
        });
      }
    }
  }

  async connect() {
    if (this.stream?.readyState === EventSource.OPEN) return;
    this.stream?.close();
    const { notes } = this.copy, { name, copy } = await got("GET", "/v1");
    if ((notes.get("gateway") ?? copy) !== copy) {
      throw new Away("foreign", `the gateway “${name}” has another local copy, and gets nothing: start the right one, or delete `
        + "the data of this site in the browser");
    }
    const entities = (await got("GET", "/v1/entities")).items.map(({ name, id, readonly, references }) =>
      ({ name, id, readonly, references }));
    if (!same(notes.get("entities"), entities)) {
      await this.copy.change(async ({ set }) => {
        set("notes", "gateway", copy);
        set("notes", "entities", entities);
      });
      for (const uri of [...this.copy.rows.keys(), ...this.copy.queue.keys()]) this.copy.show(uri);
    }
    await this.listen(this.seen ??= notes.get("event"));
    this.tell({ gateway: await got("GET", "/v1/status") });
  }

  listen(after) {
    const stream = this.stream = new EventSource(`/v1/events${after ? `?after=${encodeURIComponent(after)}` : ""}`);
    const on = (name, work) => stream.addEventListener(name, event => {
      work(JSON.parse(event.data));
      this.seen = event.lastEventId;
      this.ask();
    });
    const all = () => this.copy.entities.forEach(({ name }) => this.unread.set(name, null));
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
        reject(new Away("unreachable", silence));
        this.ask();
      };
      setTimeout(() => stream.readyState || stream.onerror(), patience);
    });
  }

  async work() {
    // First what may have become an object there already, so that it is not shown beside itself.
    await this.send(entry => entry.create && entry.sent.length);
    do await this.read(); while (await this.send(() => true));
    const { copy, readUntil } = this;
    if (readUntil !== copy.notes.get("event")) await copy.change(async ({ set }) => set("notes", "event", readUntil));
  }

  async read() {
    const { copy, unread, seen } = this;
    for (const { name } of copy.entities) if (copy.notes.has(`kept ${name}`) && !copy.isComplete(name)) unread.set(name, null);
    for (const [entity, ids] of unread) {
      unread.delete(entity);
      if (!copy.notes.has(`kept ${entity}`)) continue;
      try {
        await (ids && ids.size <= 32 + copy.rows.size / 100 ? this.readObjects(entity, [...ids]) : this.readList(entity));
      } catch (error) {
        unread.set(entity, null);
        // Without room for the copy the queue goes on.
        if (error.code !== "quota") throw error;
        break;
      }
    }
    if (!unread.size) this.readUntil = seen;
  }

  async readObjects(entity, ids) {
    const answers = await Promise.all(ids.map(id => {
      const etag = this.copy.rows.get(uriOf(entity, id))?.etag;
      return ask("GET", pathOf(entity, id), undefined, etag && { "If-None-Match": etag });
    }));
    await this.copy.change(async transaction => {
      for (const id of ids) await this.copy.keep(transaction, entity, id, answers.shift());
    });
  }

  /**
   * Reads a whole list, and lets go of what is not in it. They come in the order of their identifiers, and each page begins with
   * the last row of the one before: where another row stands there, rows have moved, and one may be missing.
   */
  async readList(entity) {
    const found = new Map();
    for (let offset = 0, last; ;) {
      const { items, objects, total } = await got("GET", `${pathOf(entity)}?meta=true&limit=1000&offset=${offset}`);
      if (offset && objects[0]?.id !== last) throw new Away("unreachable", `${entity} changes too fast; it is tried again`);
      objects.forEach(({ id }, index) => found.set(uriOf(entity, id), items[index]));
      if (offset + items.length >= total || items.length < 2) break;
      last = objects.at(-1).id;
      offset += items.length - 1;
    }
    await this.copy.change(async ({ set }) => {
      for (const [uri, { record }] of this.copy.rows) {
        if (entityOf(uri) !== entity) continue;
        if (!found.has(uri)) set("rows", uri);
        else if (same(record, found.get(uri))) found.delete(uri);
      }
      for (const [uri, record] of found) set("rows", uri, { record });
      set("notes", `kept ${entity}`, { complete: true });
    });
  }

  /** Sends what can go, in order; what names an object that has to be created first waits. @returns whether there was anything */
  async send(isMeant) {
    const { queue } = this.copy;
    const isWaiting = ([uri, { set }]) => this.copy.present(uri) !== uri && queue.has(this.copy.present(uri))
      || this.copy.about(entityOf(uri)).references.some(({ entity, field }) =>
        [set[field]].flat().some(id => uriOf(entity, id) !== uri && queue.get(uriOf(entity, id))?.create));
    const open = [...queue].filter(([, entry]) => !entry.problem && isMeant(entry)).sort(([, a], [, b]) => a.at - b.at);
    let ready = open.filter(each => !isWaiting(each));
    // Two that name each other: one has to go first.
    if (!ready.length && ![...queue.values()].some(entry => entry.problem)) ready = open.slice(0, 1);
    for (const [index, [uri]] of ready.entries()) {
      await this.sendOne(uri);
      if (index % 8 === 7) await this.read();
    }
    return ready.length > 0;
  }

  async sendOne(uri) {
    const { copy } = this, entity = entityOf(uri);
    for (let turn = 0; turn < 9; turn += 1) {
      const entry = copy.queue.get(uri), id = idOf(uri);
      if (!entry || entry.problem) return;
      if (entry.create) {
        await this.sendCreate(uri, entry);
        uri = copy.present(uri);
        continue;
      }
      if (turn || !copy.rows.get(uri)?.etag) {
        const answer = await ask("GET", pathOf(entity, idOf(copy.present(uri))));
        if (!answer.isGood) return this.refuse(uri, answer);
        await copy.change(transaction => copy.keep(transaction, entity, id, answer));
        uri = copy.present(uri);
      }
      const present = copy.queue.get(uri);
      if (!present || present.problem || !await this.sendEdit(uri, present, copy.rows.get(uri))) return;
    }
    throw new Away("unreachable", `${uri} changes too fast; it is tried again`);
  }

  /** The identifier is the key by which the gateway knows a repeat; the body is that of the first time. */
  async sendCreate(uri, { set, sent: [before] }) {
    const { copy } = this, entity = entityOf(uri), id = idOf(uri), body = before ?? set;
    await copy.amend(uri, entry => ({ ...entry, sent: [body] }));
    const answer = await ask("POST", pathOf(entity), body, { "Idempotency-Key": id });
    // It was created by then, and is not there any more.
    const isGone = before && answer.status === 404 && answer.value.code === "notFound";
    if (!answer.isGood && !isGone) return this.refuse(uri, answer);
    await copy.change(async transaction => {
      const entry = await transaction.get("queue", uri);
      const next = { ...settled(entry ?? newEntry(), body), create: false, whole: { ...body, ...answer.isGood && answer.value } };
      if (next.remove) next.base = next.whole;
      transaction.set("queue", uri, isEmpty(next) ? undefined : next);
      await copy.keep(transaction, entity, id, answer);
    });
  }

  /** @returns true where the record has been changed by then */
  async sendEdit(uri, entry, { record, etag }) {
    const { copy } = this, { remove, set } = entry, path = pathOf(entityOf(uri), idOf(uri));
    const { go, clash } = divided(entry, record, copy.about(entityOf(uri)).readonly);
    const done = without(set, clash), part = Object.fromEntries(go.map(member => [member, set[member]]));
    let answer;
    if (remove && clash.length) return copy.amend(uri, now => conflict(now, record, clash));
    if (remove) answer = await ask("DELETE", path, undefined, { "If-Match": etag });
    else if (go.length) {
      await copy.amend(uri, now => ({ ...now, sent: [...now.sent, part] })).catch(() => {});
      const removed = go.filter(member => set[member] === undefined).map(member => ["remove", member]);
      answer = await ask("PATCH", `${path}?${new URLSearchParams(removed)}`, part, { "If-Match": etag });
    }
    if (answer?.status === 412) return true;
    if (answer && !answer.isGood) return this.refuse(uri, answer);
    await copy.amend(uri, (now, transaction) => {
      if (answer) transaction.set("rows", uri, remove ? undefined : { record: answer.value, etag: answer.etag });
      if (remove) return undefined;
      const next = settled(now, done);
      if (next.remove) return { ...next, base: answer?.value ?? record };
      return clash.length ? conflict(next, answer?.value ?? record, clash) : next;
    });
  }

  /** A person has to say what becomes of it. */
  async refuse(uri, { status, value: { code = "refused", detail = `the gateway answers with ${status}`, fields = [] } }) {
    return this.copy.amend(uri, (entry, transaction) => {
      const problem = { kind: "refused", status, code, message: detail, fields };
      if (status !== 404) return { ...entry, sent: [], problem };
      if (entry.create) return { ...entry, problem };
      transaction.set("rows", uri);
      return entry.remove ? undefined : conflict(entry, null, Object.keys(entry.set));
    });
  }
}

// MARK: What a page uses

export class Collection {
  #local;
  #copy;

  constructor(local, copy, name) {
    this.#local = local;
    this.#copy = copy;
    this.name = name;
  }

  async all(query) { return (await this.query(query)).items; }

  async query(query) {
    await this.#local.ready(this.name);
    const { items, total } = this.#selected(query);
    return { items: items.map(row => this.#copy.handed(row)), total };
  }

  async get(id) {
    return this.#copy.handed(this.#copy.find(await this.#present(id)));
  }

  async save(record) {
    const copy = this.#copy, { id: idMember } = copy.about(this.name), seen = record[origin]?.row;
    const isNew = this.idOf(record) === undefined;
    const uri = isNew ? uriOf(this.name, crypto.randomUUID()) : await this.#present(this.idOf(record));
    const members = Object.entries(without(record, [idMember]));
    await copy.change(async ({ get, set }) => {
      if (isNew) return set("queue", uri, { ...newEntry(), create: true, set: Object.fromEntries(members) });
      const row = await get("rows", uri), entry = await get("queue", uri) ?? newEntry();
      const shown = copy.overlaid(this.name, idOf(uri), row, entry);
      if (!shown) throw new AtmosphereError("notFound", `there is no ${uri}; it was deleted, or never was here`);
      for (const [member, value] of members) {
        if (same(value, (seen ?? shown)[member])) continue;
        if (!(member in entry.set)) entry.base[member] = (seen ?? row?.record ?? {})[member];
        entry.set[member] = value;
        if (entry.create || entry.sent.length || entry.problem || !same(value, entry.base[member])) continue;
        delete entry.set[member];
        delete entry.base[member];
      }
      entry.whole = row?.record;
      if (entry.problem?.kind === "refused") delete entry.problem;
      set("queue", uri, isEmpty(entry) ? undefined : entry);
    }, "strict");
    this.#local.send();
    return copy.handed(copy.find(uri));
  }

  async remove(id) {
    const uri = await this.#present(typeof id === "object" ? this.idOf(id) : id);
    await this.#copy.change(async ({ get, set }) => {
      const row = await get("rows", uri), old = await get("queue", uri);
      if (!row && !old) return;
      const { problem, ...entry } = old ?? newEntry(), isUnsent = entry.create && !entry.sent.length;
      set("queue", uri, isUnsent ? undefined : { ...entry, remove: true, set: {}, base: row?.record ?? {} });
    }, "strict");
    this.#local.send();
  }

  subscribe(query, call) {
    if (typeof query === "function") [query, call] = [undefined, query];
    const copy = this.#copy, end = new AbortController();
    let last, timer, cost = 0;
    const look = () => {
      if (end.signal.aborted) return;
      const start = performance.now(), { items, total } = this.#selected(query);
      const isSame = last?.total === total && last.length === items.length && items.every((row, index) => row === last[index]);
      last = Object.assign(items, { total });
      if (!isSame) call(items.map(row => copy.handed(row)), total);
      timer = null;
      cost = performance.now() - start;
    };
    // Where a look takes long, changes are gathered.
    const hear = ({ detail }) => {
      if (detail && !detail.has(this.name)) return;
      if (cost < 4) look(); else timer ??= setTimeout(look, 2 * cost);
    };
    condition(query?.where);
    this.#local.ready(this.name).then(() => {
      copy.addEventListener("change", hear, { signal: end.signal });
      look();
    }).catch(error => copy.emit("problem", error));
    return () => end.abort();
  }

  idOf(record) {
    const member = this.#copy.about(this.name).id, id = record[member];
    return id == null && (member in record || !record[origin]) ? undefined : String(record[origin]?.id ?? id);
  }

  #selected(query) { return selected(this.#copy.shown.get(this.name)?.values() ?? [], query); }

  async #present(id) {
    const copy = this.#copy, uri = uriOf(this.name, id);
    const isKnown = () => copy.find(copy.present(uri)) || copy.queue.has(uri);
    if (!isKnown()) await this.#local.ready(this.name);
    if (!isKnown()) await this.#local.lookUp(this.name, String(id));
    return copy.present(uri);
  }
}

export class Atmosphere extends EventTarget {
  #copy;
  #collections = new Map();
  #exchange = null;
  #told = { state: "starting", message: "", gateway: null };

  constructor(copy) {
    super();
    this.#copy = copy;
    copy.addEventListener("change", () => this.#announce());
    copy.addEventListener("problem", ({ detail: { code = "failed", message } }) => {
      this.dispatchEvent(new CustomEvent("problem", { detail: { code, message } }));
      this.#announce();
    });
    copy.channel?.addEventListener("message", ({ data }) => this.#hear(data));
    for (const name of ["online", "focus"]) addEventListener(name, () => this.send());
    navigator.locks.request(copy.disk ? "atmosphere" : `atmosphere ${crypto.randomUUID()}`, () => this.#lead());
    this.send();
  }

  collection(name) {
    if (!this.#collections.has(name)) {
      const copy = this.#copy, key = `kept ${name}`;
      this.#collections.set(name, new Collection(this, copy, name));
      if (!copy.notes.has(key)) copy.change(async ({ set }) => set("notes", key, {})).then(() => this.send(), () => {});
    }
    return this.#collections.get(name);
  }

  get status() {
    const { disk, isFull, queue } = this.#copy, kinds = [...queue.values()].map(entry => entry.problem?.kind);
    const count = kind => kinds.filter(each => each === kind).length;
    return {
      ...this.#told, storage: !disk ? "memory" : isFull ? "full" : "kept",
      pending: count(undefined), conflicts: count("conflict"), refused: count("refused"),
    };
  }

  subscribe(call) {
    const listener = () => call(this.status);
    this.addEventListener("status", listener);
    listener();
    return () => this.removeEventListener("status", listener);
  }

  #look;
  #looked = Promise.resolve();

  conflicts() {
    return this.#look ??= this.#looked = this.#looked.catch(() => {}).then(async () => {
      this.#look = undefined;
      const own = [...this.#copy.queue].filter(([, { problem }]) => problem)
        .map(([uri, { problem, base, remove, set, theirs = null }]) =>
          ({ place: "page", entity: entityOf(uri), id: idOf(uri), ...problem, base, mine: remove ? null : set, theirs }));
      if (this.#told.state !== "connected") return own;
      const kinds = Object.entries({ conflicts: "conflict", rejected: "refused", unknown: "unknown" });
      const others = await Promise.all(kinds.map(async ([path, kind]) => (await got("GET", `/v1/${path}`)).items.map(item =>
        ({ ...item, place: "gateway", kind, entity: entityOf(item.uri), id: idOf(item.uri) }))));
      return own.concat(...others);
    });
  }

  async resolve(item, decision) {
    const isMembers = typeof decision === "object";
    if (item.place === "gateway") {
      const body = !isMembers ? { decision } : decision.decision ? decision : { decision: "set", set: decision };
      return this.#decide(item, "resolve", body);
    }
    await this.#decide(item, async ({ theirs, problem, whole, ...entry }, { set }, uri) => {
      if (decision === "theirs") return undefined;
      const wanted = { ...entry.set, ...isMembers && decision }, { id, readonly } = this.#copy.about(item.entity);
      if (theirs !== null) {
        return { ...entry, whole, base: theirs ?? entry.base, set: wanted, sent: [], remove: entry.remove && !isMembers };
      }
      // It was deleted on the other side: a new object, which the old address leads to.
      const next = uriOf(item.entity, crypto.randomUUID());
      set("notes", `alias ${uri}`, next);
      set("queue", next, { ...newEntry(), create: true, set: without({ ...whole, ...wanted }, [id, ...readonly]) });
      return undefined;
    });
  }

  async retry(item) {
    if (item) return this.#decide(item, item.place === "gateway" ? "retry" : async ({ problem, ...entry }) => entry);
    for (const each of await this.conflicts()) if (each.kind === "refused") await this.retry(each);
  }

  discard(item) { return this.#decide(item, item.place === "gateway" ? "discard" : async () => undefined); }

  async #decide({ entity, id }, work, body = {}) {
    const copy = this.#copy, own = uriOf(entity, id), uri = copy.queue.has(own) ? own : copy.present(own);
    if (typeof work === "string") await got("POST", `${pathOf(entity, id)}/${work}`, body);
    else await copy.amend(uri, (entry, transaction) => work(entry, transaction, uri), "strict");
    this.send();
  }

  /** Until the copy can be shown, or no gateway answers that could give one. */
  async ready(name) {
    const copy = this.#copy, isUnknown = () => copy.entities && !copy.entities.some(each => each.name === name);
    while (!copy.isComplete(name) && !copy.isFull && !isUnknown() && ["starting", "connected"].includes(this.#told.state)) {
      await new Promise(resolve => {
        this.addEventListener("status", resolve, { once: true });
        copy.addEventListener("change", resolve, { once: true });
      });
    }
    if (isUnknown()) {
      const names = copy.entities.map(each => each.name).join(", ");
      throw new AtmosphereError("unknownName", `the gateway has no “${name}”; it has ${names}`);
    }
  }

  /** What is not in the copy may have another address by now. */
  async lookUp(entity, id) {
    if (this.#told.state !== "connected") return;
    const answer = await ask("GET", pathOf(entity, id)).catch(() => ({}));
    if (answer.isGood) await this.#copy.change(transaction => this.#copy.keep(transaction, entity, id, answer));
  }

  send() {
    if (this.#exchange) this.#exchange.ask(); else this.#copy.channel?.postMessage({ asks: true });
  }

  #lead() {
    this.#exchange = new Exchange(this.#copy, part => {
      this.#told = { ...this.#told, ...part };
      this.#copy.channel?.postMessage({ told: this.#told });
      this.#announce();
    });
    return this.#exchange.run();
  }

  async #hear({ keys, told, asks }) {
    if (told) this.#told = told;
    if (keys !== undefined) await this.#copy.refresh(keys);
    if (asks && this.#exchange) this.#copy.channel.postMessage({ told: this.#told });
    if (!told) this.#exchange?.ask();
    this.#announce();
  }

  #last = "";

  #announce() {
    const text = canonical(this.status);
    if (text === this.#last) return;
    this.#last = text;
    this.dispatchEvent(new Event("status"));
  }
}

let opened;

export function atmosphere(options) {
  return opened ??= open(options);
}

async function open({ worker = "/atmosphere-worker.js" } = {}) {
  const lacking = missing().filter(each => each.needed).map(({ name, purpose }) => `${name}, to ${purpose}`).join("; ");
  if (lacking) throw new AtmosphereError("browser", `this browser is too old for this page: it lacks ${lacking}`);
  const copy = new Copy(await openDisk().catch(() => null));
  if (copy.disk) await copy.refresh(null);
  const local = new Atmosphere(copy);
  if (worker && navigator.serviceWorker) keepPages(worker, local).catch(error => copy.emit("problem", error));
  return local;
}

/** Lets the service worker keep the files that this page has loaded; again where it may have missed some. */
async function keepPages(url, local) {
  const { serviceWorker } = navigator, policy = globalThis.trustedTypes?.createPolicy("atmosphere", { createScriptURL: () => url });
  performance.setResourceTimingBufferSize(9999);
  await serviceWorker.register(policy ? policy.createScriptURL(url) : url);
  if (document.readyState !== "complete") await new Promise(resolve => addEventListener("load", resolve, { once: true }));
  const tell = async () => (await serviceWorker.ready).active.postMessage({
    keep: [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)],
  });
  serviceWorker.addEventListener("controllerchange", tell);
  let last;
  local.subscribe(({ state }) => {
    if (state !== last && state === "connected") tell();
    last = state;
  });
}
