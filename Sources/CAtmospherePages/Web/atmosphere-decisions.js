/**
 * What pages made with `atmosphere.js` have in common: how it stands, what a person has to decide, what goes wrong.
 * `atmosphere-decisions.d.ts` and docs/JAVASCRIPT.md say how it is used.
 */

// MARK: What goes wrong

export function problems(element) {
  const complain = ({ message }) => Object.assign(element, { textContent: message, hidden: false });
  const attempt = async work => {
    element.hidden = true;
    try { return await work(); } catch (error) { complain(error); }
  };
  return { complain, attempt };
}

// MARK: What the module does not offer

export async function asked(method, path, body, headers = {}) {
  const isFile = body instanceof Blob, type = isFile ? body.type : "application/json";
  const answer = await fetch(path, {
    method, body: isFile || body === undefined ? body : JSON.stringify(body), headers: { "Content-Type": type, ...headers },
  }).catch(() => { throw new Error("the gateway does not answer; try again when it does"); });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(value.detail ?? `${path}: ${answer.status}`), { status: answer.status });
  return value;
}

export async function synchronize() {
  const { push, pull } = await asked("POST", "/v1/sync", {}), [problem] = [...push.problems, ...pull?.problems ?? []];
  if (problem) throw new Error(problem.message);
}

// MARK: How it stands

const states = {
  starting: "opening …", connected: "in step with the gateway", unreachable: "the gateway does not answer; go on working",
  signedOut: "open the link that the gateway printed", foreign: "another gateway answers here",
};
const storages = { memory: "this browser keeps nothing when the page is closed", full: "the browser’s storage is full" };

/** Numbers of the gateway; none while it does not answer. */
const entitiesOf = ({ state, gateway }) => state === "connected" ? Object.values(gateway?.entities ?? {}) : [];

const countOf = status => entitiesOf(status).reduce((sum, { conflicted, rejected, unknown }) =>
  sum + conflicted + rejected + unknown, status.conflicts + status.refused);

export function showStatus(line, local, { service = "the service" } = {}) {
  return local.subscribe(status => {
    const { state, pending, storage, message, gateway } = status, count = countOf(status), isConnected = state === "connected";
    const text = [
      isConnected && gateway?.unreachable ? `${service} is not reached; go on working` : states[state],
      pending && !isConnected && `${pending} to be sent`, count && `${count} to decide`, storages[storage],
    ].filter(Boolean).join(" · ");
    if (line.textContent !== text) line.textContent = text;
    line.title = message;
    Object.assign(line.dataset, { state, pending });
  });
}

/** One run after the other. Who asks gets a run that begins later; all who ask before it begins get the same one. */
function gathered(work) {
  let next, last = Promise.resolve();
  return () => next ??= last = last.catch(() => {}).then(() => {
    next = undefined;
    return work();
  });
}

export function watchStates(local, name, show) {
  const read = gathered(async () => {
    if (local.status.state !== "connected") return show(() => undefined);
    const { items, total } = await asked("GET", `/v1/pending?entity=${encodeURIComponent(name)}&limit=1000`);
    const found = new Map(items.map(({ uri, state }) => [uri.slice(name.length + 1), state]));
    show(id => found.get(id) ?? (total > items.length ? "changed" : "synchronized"));
  });
  const again = () => read().catch(() => show(() => undefined));
  let known = "";
  local.subscribe(({ state, gateway }) => {
    const text = written([state, gateway?.entities?.[name]]);
    if (text !== known) again();
    known = text;
  });
  return again;
}

const signs = { synchronized: "✓", conflicted: "C", rejected: "!", unknown: "?" };

export function showSign(element, state) {
  element.textContent = state ? signs[state] ?? "↑" : "";
  element.title = state ?? "not known while the gateway does not answer";
}

// MARK: Rows

export function followRows(collection, query, items, show) {
  let latest;
  return collection.subscribe(query, async rows => {
    latest = rows;
    for (const [id, item] of items) {
      if (!item.element.contains(document.activeElement) || rows.some(row => collection.idOf(row) === id)) continue;
      const row = await collection.get(id).catch(() => undefined), next = row && collection.idOf(row);
      if (!row || items.has(next)) continue;
      items.delete(id);
      items.set(next, item);
    }
    if (latest === rows) show(rows);
  });
}

export function arrange(place, items, collection, rows, newItem, fill) {
  const ids = new Set(rows.map(row => collection.idOf(row)));
  for (const [id, { element }] of items) {
    if (ids.has(id)) continue;
    element.remove();
    items.delete(id);
  }
  rows.forEach((row, index) => {
    const id = collection.idOf(row);
    if (!items.has(id)) items.set(id, newItem());
    const item = items.get(id);
    fill(item, row, id);
    put(place, item.element, index);
  });
}

/** Moves an element only where it has to be; then what has the focus keeps it. */
function put(place, element, index) {
  if (place.children[index] === element) return;
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  place.insertBefore(element, place.children[index] ?? null);
  focused?.focus();
}

// MARK: What a person has to decide

export function decide(local, item, decision) {
  return decision === "retry" || decision === "discard" ? local[decision](item) : local.resolve(item, decision);
}

export function showDecisions(list, local, nameOf, choose = () => undefined) {
  const lines = new Map();
  let known = "", timer;
  const look = gathered(async () => {
    const items = countOf(local.status) ? await local.conflicts() : [], left = new Set(lines.keys());
    for (const [index, item] of items.entries()) {
      const key = `${item.place} ${item.entity}/${item.id}`;
      left.delete(key);
      if (!lines.has(key)) lines.set(key, newLine());
      renew(lines.get(key), item);
      put(list, lines.get(key).element, index);
    }
    for (const key of left) {
      const { element } = lines.get(key), next = element.nextElementSibling ?? element.previousElementSibling;
      // The line and no button of it: who still holds the key down decides nothing more.
      if (element.contains(document.activeElement)) next?.focus();
      element.remove();
      lines.delete(key);
    }
    list.hidden = !lines.size;
  });

  /** Without an answer what was shown stays, and it is asked for again. */
  function again() {
    look().catch(() => {
      clearTimeout(timer);
      timer = setTimeout(again, patience);
    });
  }

  function newLine() {
    const line = { element: made("li"), what: made("p", "what"), sides: made("div"), choices: made("p"), problem: made("p") };
    line.element.tabIndex = -1;
    line.what.id = `decision-${counter += 1}`;
    line.problem.setAttribute("role", "alert");
    line.problem.hidden = true;
    line.attempt = problems(line.problem).attempt;
    line.element.append(line.what, line.sides, line.choices, line.problem);
    return line;
  }

  function renew(line, item) {
    const known = written(item), hadFocus = line.element.contains(document.activeElement);
    if (line.known === known) return;
    line.known = known;
    line.chosen = item.kind === "conflict" && item.mine && item.theirs && item.fields?.length
      ? choose(item, line.chosen) : undefined;
    const { base, theirs, sent, mine, id } = item, name = nameOf({ ...base, ...theirs, ...sent, ...mine }, item);
    const tell = called => { line.what.textContent = `“${shortened(String(called))}” ${wordsFor(item)}`; };
    tell(name || id);
    if (!name) recordOf(item).then(record => {
      const found = record && nameOf(record, item);
      if (found && line.known === known) tell(found);
    }, () => {});
    line.sides.replaceChildren(...line.chosen ? [line.chosen.element] : sidesOf(item));
    const choices = line.chosen ? [[line.chosen.decision, "Decide"]] : choicesFor(item);
    line.choices.replaceChildren(...choices.flatMap(([choice, text]) => {
      const button = Object.assign(made("button", "", text), { type: "button" });
      button.setAttribute("aria-describedby", line.what.id);
      button.addEventListener("click", () => {
        line.turn ??= line.attempt(async () => {
          await decide(local, item, typeof choice === "function" ? choice() : choice);
          await look().catch(again);
        }).finally(() => { line.turn = undefined; });
      });
      return [button, " "];
    }));
    if (hadFocus && !line.element.contains(document.activeElement)) line.element.focus();
  }

  /** The object as it is here; a refused delete has it as it was. */
  async function recordOf({ place, entity, id }) {
    if (place === "page") return local.collection(entity).get(id);
    const { record, base } = await asked("GET", `/v1/objects/${encodeURIComponent(entity)}/${encodeURIComponent(id)}/state`);
    return record ?? base;
  }

  const end = local.subscribe(status => {
    const text = written([status.state, status.conflicts, status.refused, entitiesOf(status)]);
    if (text === known) return;
    known = text;
    again();
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

/** Until what was not answered is asked for again, in milliseconds. */
const patience = 2000;
let counter = 0;

const made = (name, kind = "", text = "") => Object.assign(document.createElement(name), { className: kind, textContent: text });
const written = value => JSON.stringify(value, (_, each) => typeof each === "bigint" ? `${each}n` : each);
const shortened = name => name.length > 80 ? `${name.slice(0, 79)}…` : name;
const text = value => typeof value === "string" ? value : value == null ? "nothing" : written(value);

function wordsFor({ kind, mine, theirs, fields, message }) {
  if (kind === "refused") return message ? `was refused: ${message}` : "was refused";
  if (kind === "unknown") return "was sent, and no answer came: it may be there or not";
  if (mine === null) return "was deleted here, and somebody else has changed it";
  if (theirs === null) return "was changed here, and somebody else has deleted it";
  if (fields?.length) return "was changed here, and somebody else has changed it, too";
  return `waits: ${message ?? "the service does not take it now"}`;
}

function choicesFor({ kind, mine, theirs, fields, candidates = [] }) {
  if (kind === "refused") return [["retry", "Try again"], ["discard", "Drop it"]];
  if (kind === "unknown") {
    const ids = candidates.map(uri => uri.slice(uri.indexOf("/") + 1));
    return [...ids.map(id => [{ decision: "adopt", adopt: id }, `It is ${id}`]), ["resend", "Send it again"], ["discard", "Drop it"]];
  }
  if (mine === null) return [["mine", "Delete it"], ["theirs", "Keep theirs"]];
  if (theirs === null) return [["mine", "Keep mine"], ["theirs", "Let it go"]];
  return fields?.length ? [["mine", "Keep mine"], ["theirs", "Keep theirs"]] : [["mine", "Try again"], ["theirs", "Drop mine"]];
}

/** What both have written of the members that clash: a list, or nothing. */
function sidesOf({ kind, mine, theirs, fields = [] }) {
  if (kind !== "conflict" || !fields.length) return [];
  const list = made("dl");
  for (const field of fields) {
    for (const [side, record] of Object.entries({ mine, theirs })) {
      if (record) list.append(made("dt", "", `${field}, ${side}`), made("dd", "", text(record[field])));
    }
  }
  return [list];
}
