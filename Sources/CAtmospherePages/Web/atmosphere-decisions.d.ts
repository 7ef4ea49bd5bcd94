// The types of atmosphere-decisions.js. In a tsconfig.json: "paths": { "/atmosphere-decisions.js": ["./atmosphere-decisions.d.ts"] }

import type { Atmosphere, Collection, Decision, Query, Row } from "/atmosphere.js";

/** What `decide` takes: a decision of `resolve`, or one of the two ways with what was refused. */
export type Choice = Parameters<Atmosphere["resolve"]>[1] | "retry" | "discard";

/**
 * Shows in `list` what a person has to decide, a line for each object, with its buttons; hides the list where there is nothing. A
 * line stays as long as its object has to be decided, and so does the focus. Where the gateway does not answer, what was shown stays.
 *
 * @param nameOf what a person calls the object; its identifier where this gives nothing
 * @param choose for an object that both have changed: an element to be shown, and what `Decide` decides then. It gets what it gave
 * for this object before. Without it, or where it gives undefined, one side is chosen as a whole.
 * @returns ends it
 */
export function showDecisions(
  list: HTMLElement,
  local: Atmosphere,
  nameOf: (record: Row, item: Decision) => unknown,
  choose?: (item: Decision, before?: Chooser) => Chooser | undefined,
): () => void;

export interface Chooser {
  element: HTMLElement;
  decision(): Choice;
}

/** Decides an item of `conflicts()`, whatever its kind. */
export function decide(local: Atmosphere, item: Decision, choice: Choice): Promise<void>;

/**
 * Says in `line` how it stands, in words, with `data-state` and `data-pending` of the status.
 * @param options.service what a person calls the API's server
 * @returns ends it
 */
export function showStatus(line: HTMLElement, local: Atmosphere, options?: { service?: string }): () => void;

/** Shows in `element` what goes wrong. */
export function problems(element: HTMLElement): {
  complain(error: { message: string }): void;
  /** Does what a person asked for; undefined where it cannot be done, and why is shown. */
  attempt<T>(work: () => T | Promise<T>): Promise<T | undefined>;
};

/**
 * As `subscribe`, for rows that stand in `items` by their identifiers. The item in whose element the focus is follows its object to
 * another identifier before `show` is called, so that what a person is writing stays.
 * @returns ends it
 */
export function followRows<T extends Row>(
  collection: Collection<T>,
  query: Query<T>,
  items: Map<string, { element: HTMLElement }>,
  show: (rows: T[]) => void,
): () => void;

/** Puts an element for each row into `place`, in their order; elements that are there stay where they are. */
export function arrange<T extends Row, Item extends { element: HTMLElement }>(
  place: HTMLElement,
  items: Map<string, Item>,
  collection: Collection<T>,
  rows: T[],
  newItem: () => Item,
  fill: (item: Item, row: T, id: string) => void,
): void;

/**
 * Calls with the states of an entity's objects in the gateway, at once and when the gateway counts others: `synchronized`, `new`, `changed`,
 * `deleted`, `conflicted`, `rejected`, `unknown`; undefined while the gateway does not answer.
 * @returns asks again
 */
export function watchStates(
  local: Atmosphere,
  entity: string,
  show: (stateOf: (id: string) => string | undefined) => void,
): () => Promise<void>;

/** Shows such a state as a sign, with the state as its title. */
export function showSign(element: HTMLElement, state: string | undefined): void;

/**
 * Asks the gateway for what the collections do not offer, such as contents and actions; a Blob goes as it is.
 * @throws Error with the gateway's words, and with the `status` of its answer where there is one
 */
export function asked(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<any>;

/** Lets the gateway push and pull. @throws Error the first problem of both */
export function synchronize(): Promise<void>;
