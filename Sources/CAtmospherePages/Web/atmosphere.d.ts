// The types of atmosphere.js. In a tsconfig.json: "paths": { "/atmosphere.js": ["./atmosphere.d.ts"] }

/** A record as the gateway has it. Whole numbers beyond 2^53 are BigInt where the browser can tell (see `missing`). */
export type Row = Record<string, unknown>;

/** A test of one member: a value that it is equal to, or comparisons that all hold. */
export type Condition<Value = unknown> =
  | Value
  | null
  | {
      "="?: Value | null;
      "!="?: Value | null;
      "<"?: Value;
      "<="?: Value;
      ">"?: Value;
      ">="?: Value;
      /** Contains the text; of a list: has the element. */
      "*="?: Value;
      /** The same, whatever the case. */
      "~="?: Value;
      /** Begins with the text. */
      "^="?: string;
    };

export interface Query<T extends Row = Row> {
  /** Conditions that all hold, or a function. */
  where?: { [Member in keyof T]?: Condition<T[Member]> } | ((row: T) => boolean);
  /** `"-due,title"`, the same as an array, or a function that compares two rows. */
  sort?: string | string[] | ((a: T, b: T) => number);
  limit?: number;
  offset?: number;
}

/** One entity of the gateway. What it reads, it reads from the page's own copy. */
export class Collection<T extends Row = Row> {
  private constructor();

  /** The entity's name. */
  readonly name: string;

  /**
   * The rows that a query means. Waits for the first copy of the entity, unless the gateway does not answer: then there is
   * what there is. The page may change the rows that it gets; nothing happens before it saves them.
   *
   * @throws AtmosphereError `unknownName`: the gateway has no such entity; `usage`: the query cannot be read
   */
  all(query?: Query<T>): Promise<T[]>;

  /** As `all`, with the number of rows that there are without `limit` and `offset`. */
  query(query?: Query<T>): Promise<{ items: T[]; total: number }>;

  /** The row with this identifier, or one that it had before; undefined where there is none. */
  get(id: string | number | bigint): Promise<T | undefined>;

  /**
   * Creates a record that has no identifier, or changes the one that has it.
   *
   * Only the members that differ are sent: from the row as the page was given it, where the record is that row or a spread copy
   * (`{...row, done: true}`); from the present row else (`{id: 7, done: true}`). A member that is undefined is removed.
   *
   * Resolves at once, when the write is kept in the browser, with the row. A new one has a temporary identifier; `get` and
   * `save` go on to know it when the object has got its own.
   *
   * @throws AtmosphereError `notFound`: there is no such object; `quota`: the browser has no room, and nothing was changed
   */
  save(record: Partial<T>): Promise<T>;

  /** Deletes the object with this identifier, or of this row; one that is not there is none. */
  remove(id: string | number | bigint | T): Promise<void>;

  /**
   * Calls with the rows at once, and after each change of them: by this page, another tab or page, or a pull of the gateway.
   * @returns ends it
   */
  subscribe(query: Query<T>, call: (rows: T[], total: number) => void): () => void;
  subscribe(call: (rows: T[], total: number) => void): () => void;

  /** The identifier as a text, also for entities whose records do not hold it; undefined for a record that is new. */
  idOf(record: Partial<T>): string | undefined;
}

export interface Status {
  /**
   * `starting`: nothing is known yet; `connected`; `unreachable`: what is written waits; `signedOut`: a person opens the link
   * that the gateway printed; `foreign`: the gateway of another local copy answers at this address, and gets nothing.
   */
  state: "starting" | "connected" | "unreachable" | "signedOut" | "foreign";
  /** What to do about it, for a person; empty where there is nothing. */
  message: string;
  /** `memory`: the browser keeps nothing, and what waits is lost when the page is closed; `full`: it has no more room. */
  storage: "kept" | "memory" | "full";
  /** Writes of this browser that wait to be sent. */
  pending: number;
  /** Writes of this browser that a person has to decide. */
  conflicts: number;
  /** Writes of this browser that the gateway does not take. */
  refused: number;
  /** How the gateway stands with the API's server: as `GET /v1/status`, or its last `status` event. */
  gateway: any;
}

/** What a person has to decide. */
export interface Decision {
  /** `page`: between this browser and the gateway; `gateway`: between the gateway and the API's server. */
  place: "page" | "gateway";
  kind: "conflict" | "refused" | "unknown";
  entity: string;
  id: string;
  /** The members that both have changed; for a refusal what is said of single ones. */
  fields?: any[];
  base?: Row | null;
  /** null: deleted here. */
  mine?: Row | null;
  /** null: deleted there. */
  theirs?: Row | null;
  code?: string;
  message?: string | null;
  status?: number | null;
  /** Of a create that was sent and not answered (`unknown`): the objects that it may have made, as `tasks/43`. */
  candidates?: string[];
  [member: string]: unknown;
}

/** What `atmosphere()` opens. */
export class Atmosphere extends EventTarget {
  private constructor();

  /** One entity of the gateway; the same object each time. The browser keeps a copy of it from now on. */
  collection<T extends Row = Row>(name: string): Collection<T>;

  readonly status: Status;

  /** Calls with the status at once and after each change. @returns ends it */
  subscribe(call: (status: Status) => void): () => void;

  /** What a person has to decide; what waits in the gateway only while it answers. Answers come in the order of the calls. */
  conflicts(): Promise<Decision[]>;

  /**
   * Decides a conflict: for `mine`, for `theirs`, or with members to set in their place. `mine` of what was deleted there
   * creates it again. A decision of the gateway takes also what its `resolve` does: `both`, `resend`, and
   * `{decision: "adopt", adopt: "43"}` with the identifier of one of its candidates.
   */
  resolve(item: Decision, decision: "mine" | "theirs" | "both" | "resend" | Row): Promise<void>;

  /** Another try for what was refused: one item, or all. */
  retry(item?: Decision): Promise<void>;

  /**
   * Drops a write: an item of `conflicts()`, or what this browser has written of one object. What was sent already and not
   * answered may have been done all the same: such a create comes back as an object of its own.
   */
  discard(item: Decision | { entity: string; id: string }): Promise<void>;

  /** `problem`: what went wrong and no promise tells of. `status`: it has changed. */
  addEventListener(type: "problem", listener: (event: CustomEvent<{ code: string; message: string }>) => void, options?: any): void;
  addEventListener(type: "status", listener: (event: Event) => void, options?: any): void;
}

/** What promises of this module are rejected with. */
export class AtmosphereError extends Error {
  /**
   * For programs: `browser`, `quota`, `notFound`, `unknownName`, `usage`, `unreachable`, `signedOut`, or a code of the gateway.
   */
  readonly code: string;
  /** The gateway's problem (RFC 9457). */
  readonly problem?: any;
}

/** What this browser lacks: nothing works without what is `needed`. */
export function missing(): { name: string; needed: boolean; purpose: string }[];

/**
 * Opens the page's copy: the same object each time. A function and no class, for opening takes time, and all of a page shares
 * one copy and one queue.
 *
 * @param options.worker the address of the service worker that lets the page open while the gateway does not answer; false
 * for none
 * @throws AtmosphereError `browser`: this browser lacks something that is needed; the message names it
 */
export function atmosphere(options?: { worker?: string | false }): Promise<Atmosphere>;
