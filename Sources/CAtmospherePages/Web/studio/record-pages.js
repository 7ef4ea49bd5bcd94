import { at, get } from "./gateway.js";

/** How many pages are kept. */
const most = 24;
/** How many are asked for at a time. */
const atOnce = 2;
/** How long a list may take before it is asked for in larger pages, in milliseconds. */
const slow = 700;

/**
 * The rows of a list, read page by page where they are looked at, and forgotten where nobody looks. Tells `rows` when rows have
 * come, `busy` when it begins or ends to ask, and `failed` with the problem.
 */
export class RecordPages extends EventTarget {
  /** How many rows there are; null until it is known. */
  total = null;
  /** Each page costs a look at all rows. */
  isSlow = false;
  #entity;
  #query;
  #digest;
  #size = 200;
  #pages = new Map();
  #wanted = [];
  #running = new Map();
  #generation = 0;

  /**
   * @param {string} entity
   * @param {URLSearchParams} query `where` and `sort`
   * @param {(record: object, standing: object) => object} digest what is kept of a record
   */
  constructor(entity, query, digest) {
    super();
    this.#entity = entity;
    this.#query = query;
    this.#digest = digest;
  }

  get isBusy() {
    return this.#running.size > 0;
  }

  /** The row of a number; undefined while it is not read. */
  row(index) {
    return this.#pages.get(Math.floor(index / this.#size))?.rows[index % this.#size];
  }

  /** Reads these rows where they are not here, or old. */
  need(first, last) {
    this.#wanted = [];
    for (let page = Math.floor(first / this.#size); page <= Math.floor(last / this.#size); page += 1) this.#wanted.push(page);
    for (const [page, running] of this.#running) {
      if (!this.#wanted.includes(page)) running.abort();
    }
    this.#step();
  }

  /** What is here may be old: it stays until what is wanted of it has come anew. */
  expire() {
    this.#generation += 1;
    this.#step();
  }

  /** The number of a row that is here; -1 where it is not. */
  find(uri) {
    for (const [page, { rows }] of this.#pages) {
      const index = rows.findIndex((row) => row.uri === uri);
      if (index >= 0) return page * this.#size + index;
    }
    return -1;
  }

  /** Nothing more is asked for. */
  end() {
    this.#wanted = [];
    for (const running of this.#running.values()) running.abort();
  }

  #step() {
    for (const page of this.#wanted) {
      const known = this.#pages.get(page);
      const isFresh = known && known.generation === this.#generation;
      if (isFresh || this.#running.has(page) || this.#running.size >= atOnce) continue;
      this.#read(page);
    }
  }

  async #read(page) {
    const running = new AbortController();
    const [generation, size] = [this.#generation, this.#size];
    this.#running.set(page, running);
    this.dispatchEvent(new Event("busy"));
    const start = performance.now();
    let isDone = false;
    try {
      const { rows, total, records } = await this.#rows(page * size, size, running.signal);
      isDone = true;
      if (size !== this.#size) return;
      this.#keep(page, { rows, generation });
      this.total = total;
      if (performance.now() - start > slow) this.#enlarge();
      this.dispatchEvent(new CustomEvent("rows", { detail: { first: page * size, records } }));
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.#wanted = [];
      this.dispatchEvent(new CustomEvent("failed", { detail: problem }));
    } finally {
      this.#running.delete(page);
      this.dispatchEvent(new Event("busy"));
      if (isDone || this.#wanted.length) this.#step();
    }
  }

  /** An answer may have fewer rows than asked for, where they are large; then the rest is asked for. */
  async #rows(offset, size, signal) {
    const rows = [];
    const records = [];
    let total = 0;
    do {
      const query = new URLSearchParams(this.#query);
      query.set("meta", "true");
      query.set("limit", String(size - rows.length));
      query.set("offset", String(offset + rows.length));
      const page = await get(`${at("objects", this.#entity)}?${query}`, signal);
      total = page.total;
      if (!page.items.length) break;
      page.items.forEach((record, index) => rows.push(this.#digest(record, page.objects[index])));
      if (!records.length) records.push(...page.items.slice(0, 50));
    } while (rows.length < size && offset + rows.length < total);
    return { rows, total, records };
  }

  #keep(page, kept) {
    this.#pages.delete(page);
    this.#pages.set(page, kept);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= most) break;
      if (!this.#wanted.includes(old)) this.#pages.delete(old);
    }
  }

  /** Where each page costs a look at all rows, fewer and larger ones are asked for. */
  #enlarge() {
    if (this.isSlow) return;
    this.isSlow = true;
    const pages = [...this.#pages].sort(([one], [other]) => one - other);
    const generation = Math.min(...pages.map(([, kept]) => kept.generation));
    const rows = pages.flatMap(([page, kept]) => kept.rows.map((row, index) => [page * this.#size + index, row]));
    this.#size = 1_000;
    this.#pages.clear();
    for (const running of this.#running.values()) running.abort();
    for (const [index, row] of rows) {
      const page = Math.floor(index / 1_000);
      if (!this.#pages.has(page)) this.#pages.set(page, { rows: [], generation: -1 });
      this.#pages.get(page).rows[index % 1_000] = row;
    }
    // A list that is here as a whole need not be read again.
    if (rows.length === this.total && this.#pages.size === 1) this.#pages.get(0).generation = generation;
    this.#wanted = [];
  }
}
