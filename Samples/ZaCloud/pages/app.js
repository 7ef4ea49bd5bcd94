import { atmosphere } from "/atmosphere.js";

const find = selector => document.querySelector(selector);
/** How long a lease lasts, when it is renewed, and how often a page that waits for somebody else's end asks. */
const lease = { length: 120_000, renewed: 110_000, asked: 2000 };
/** The note in the editor: `row` as it was when it was opened, `state` of its lease, `until` when the lease runs out. */
let local, notes, opened = null;

try {
  local = await atmosphere();
  notes = local.collection("notes");
  local.subscribe(showStatus);
  local.addEventListener("problem", event => complain(event.detail));
  notes.subscribe({ sort: "createDate,title" }, showNotes);
  find("#new").addEventListener("submit", create);
  for (const [id, work] of Object.entries({ done, edit: () => take(opened), delete: remove, close, sync })) {
    find(`#${id}`).addEventListener("click", () => attempt(work));
  }
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

function complain(error) {
  find("#problem").textContent = error.message;
  find("#problem").hidden = false;
}

async function attempt(work) {
  find("#problem").hidden = true;
  try { await work(); } catch (error) { complain(error); }
}

/** Asks the gateway now; an error has the status of the answer, or none where nobody has answered. */
async function asked(method, path, body) {
  const answer = await fetch(path, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(value.detail ?? `${path}: ${answer.status}`), { status: answer.status });
  return value;
}

function pathOf(id) { return `/v1/objects/notes/${encodeURIComponent(id)}`; }

async function sync() {
  const { push, pull } = await asked("POST", "/v1/sync", {}), [problem] = [...push.problems, ...pull?.problems ?? []];
  if (problem) throw new Error(problem.message);
}

// MARK: The lease

/** Asks for the lease, prolongs it, or gives it back; the server counts by its own clock, and takes only the length. */
function lock(id, length) {
  const written = time => new Date(time).toISOString().slice(0, 19).replace("T", " ");
  return asked("POST", "/v1/actions/notes/lock", { id, currentTime: written(Date.now()), lockingTime: written(Date.now() + length) });
}

async function take(note) {
  clearTimeout(note.timer);
  // Nobody else has a note that the server does not know.
  if (!note.row.lastModified) return tell(note, "leased", "Not sent yet: nobody else can edit it");
  const time = Date.now();
  try {
    await lock(note.id, lease.length);
    if (note !== opened) return;
    note.until = time + lease.length;
    tell(note, "leased", "Others cannot edit it meanwhile");
    note.timer = setTimeout(() => take(note), lease.renewed);
    // What others have written before the lease was given.
    await asked("POST", `${pathOf(note.id)}/refresh`, {}).catch(() => {});
  } catch (error) {
    if (note !== opened) return;
    const words = error.message.replace(/^lock notes: | \(200\)$/g, ""), isRefused = error.status === 422 || error.status === 423;
    if (isRefused && note.until) {
      tell(note, "ended", `Your lease has ended: ${words}. What you write waits until the note is free`);
      note.timer = setTimeout(() => take(note), lease.asked);
    } else if (isRefused) {
      tell(note, "readonly", `Read-only: ${words}`);
      note.timer = setTimeout(() => watch(note), lease.asked);
    } else {
      const isOver = note.until && note.until <= Date.now();
      tell(note, isOver ? "ended" : "leased", isOver ? "Your lease has ended. What you write waits until the note is free"
        : "The server is away. What you write is sent later, when the note is free");
      note.timer = setTimeout(() => take(note), Math.max(1000, Math.min((note.until ?? 0) - Date.now(), 5000)));
    }
  }
}

/** Until whoever edits the note has ended: the server refuses to end what another device has. */
async function watch(note) {
  const isFree = await lock(note.id, 0).then(() => true, () => false);
  if (isFree) await asked("POST", `${pathOf(note.id)}/refresh`, {}).catch(() => {});
  if (note !== opened) return;
  if (isFree) return tell(note, "free", `“${note.row.title}” is free`);
  note.timer = setTimeout(() => watch(note), lease.asked);
}

function tell(note, state, words) {
  note.state = state;
  find("#editor").dataset.state = state;
  find("#lease").textContent = words;
  const isReadOnly = state !== "leased" && state !== "ended";
  find("#text").readOnly = isReadOnly;
  find("#done").hidden = isReadOnly;
  find("#edit").hidden = state !== "free";
  find("#close").hidden = !isReadOnly;
}

// MARK: A note

async function create(event) {
  event.preventDefault();
  await attempt(async () => {
    const createDate = `${new Date().toISOString().slice(0, 19)}Z`;
    await notes.save({ title: find("#title").value, note: find("#note").value, createDate });
    find("#new").reset();
  });
}

async function open(row) {
  await close();
  opened = { id: notes.idOf(row), row };
  fill(row);
  tell(opened, "asking", "Asking for the lease …");
  find("#editor").hidden = false;
  await take(opened);
  if (!find("#text").readOnly) find("#text").focus();
}

function fill(row) {
  find("#name").textContent = row.title;
  find("#text").value = row.note;
}

async function done() {
  const note = find("#text").value;
  if (note === opened.row.note) return close();
  if (!note) throw new Error("An empty note is not kept");
  await notes.save({ ...opened.row, note });
  // The gateway sends it under the lease, and gives that back.
  leave();
}

async function close() {
  const note = opened;
  leave();
  if (note?.state === "leased" && note.until) await lock(note.id, 0).catch(() => {});
}

function leave() {
  clearTimeout(opened?.timer);
  opened = null;
  find("#editor").hidden = true;
}

/** With the server, or not at all. */
async function remove() {
  try {
    await asked("DELETE", pathOf(opened.id));
    leave();
  } catch (error) {
    throw error.status && error.status !== 503 ? error : new Error("A note is deleted with the server only, and that is away");
  }
}

// MARK: What is shown

function showNotes(rows) {
  find("#notes").replaceChildren(...rows.map(row => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    const state = row.locked === "1" ? `${row.lockingDevice} edits it` : row.lastModified ? "" : "not sent yet";
    button.append(part("b", "", row.title), part("span", "text", row.note), part("span", "state", state));
    button.addEventListener("click", () => attempt(() => open(row)));
    item.append(button);
    return item;
  }));
  if (!opened) return;
  const present = rows.find(row => notes.idOf(row) === opened.id);
  if (!present) return leave();
  // What was typed already is compared with the row as it was before.
  if (find("#text").value !== opened.row.note) return;
  opened.row = present;
  fill(present);
}

function part(name, kind, text) {
  const element = document.createElement(name);
  Object.assign(element, { className: kind, textContent: text });
  return element;
}

async function showConflicts() {
  const found = await local.conflicts().catch(() => []);
  find("#conflicts").hidden = !found.length;
  find("#conflicts").replaceChildren(...found.flatMap(item => {
    const sides = ["mine", "theirs"].flatMap(side => [part("dt", "", side), part("dd", "", item[side]?.note ?? "deleted")]);
    const list = document.createElement("dl"), choices = document.createElement("p"), isWaiting = !item.fields?.length && item.theirs;
    list.append(...sides);
    for (const side of isWaiting ? ["theirs"] : ["mine", "theirs"]) {
      const button = part("button", "", isWaiting ? "Drop mine" : `Keep ${side}`);
      button.type = "button";
      button.addEventListener("click", () => attempt(() => local.resolve(item, side).then(showConflicts)));
      choices.append(button);
    }
    const title = item.mine?.title ?? item.theirs?.title ?? "A note";
    return [part("h2", "", isWaiting ? `“${title}” waits: ${item.message ?? "another device edits it"}` : `Both have edited “${title}”`), list, choices];
  }));
}

function showStatus({ state, pending, message, gateway }) {
  const words = {
    starting: "opening …", connected: "in step with the gateway", unreachable: "the gateway does not answer; go on writing",
    signedOut: "open the link that the gateway printed", foreign: "another gateway answers here",
  };
  const parts = [words[state]];
  if (state === "connected" && gateway?.unreachable) parts[0] = "the service is not reached; go on writing";
  if (pending && state !== "connected") parts.push(`${pending} to be sent`);
  const line = find("#status");
  line.textContent = parts.join(" · ");
  line.title = message;
  line.dataset.state = state;
  line.dataset.pending = pending;
  showConflicts();
}
