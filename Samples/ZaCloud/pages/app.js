import { atmosphere } from "/atmosphere.js";
import { asked, problems, showDecisions, showStatus, synchronize } from "/atmosphere-decisions.js";

const find = selector => document.querySelector(selector);
const { complain, attempt } = problems(find("#problem"));
/** How long a lease lasts, when it is renewed, and how often a page that waits for somebody else's end asks. */
const lease = { length: 120_000, renewed: 110_000, asked: 2000 };
/** The note in the editor: `row` as it was when it was opened, `state` of its lease, `until` when the lease runs out. */
let local, notes, opened = null;

try {
  local = await atmosphere();
  notes = local.collection("notes");
  showStatus(find("#status"), local);
  showDecisions(find("#decide"), local, ({ title }) => title);
  local.addEventListener("problem", event => complain(event.detail));
  notes.subscribe({ sort: "createDate,title" }, showNotes);
  find("#new").addEventListener("submit", create);
  for (const [id, work] of Object.entries({ done, edit: () => take(opened), delete: remove, close, sync: synchronize })) {
    find(`#${id}`).addEventListener("click", () => attempt(work));
  }
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

function pathOf(id) { return `/v1/objects/notes/${encodeURIComponent(id)}`; }

// MARK: The lease

/** Asks for the lease, prolongs it, or gives it back; the server counts by its own clock, and takes only the length. */
function lock(id, length) {
  const written = time => new Date(time).toISOString().slice(0, 19).replace("T", " ");
  return asked("POST", "/v1/actions/notes/lock", { id, currentTime: written(Date.now()), lockingTime: written(Date.now() + length) });
}

const isLeft = note => note !== opened || note.state === "gone";

async function take(note) {
  clearTimeout(note.timer);
  // Nobody else has a note that the server does not know.
  if (!note.row.lastModified) return tell(note, "leased", "Not sent yet: nobody else can edit it");
  const time = Date.now();
  try {
    await lock(note.id, lease.length);
    if (isLeft(note)) return;
    note.until = time + lease.length;
    tell(note, "leased", "Others cannot edit it meanwhile");
    note.timer = setTimeout(() => take(note), lease.renewed);
    // What others have written before the lease was given.
    await asked("POST", `${pathOf(note.id)}/refresh`, {}).catch(() => {});
  } catch (error) {
    if (isLeft(note)) return;
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

const writable = ["leased", "ended", "gone"];

function tell(note, state, words) {
  note.state = state;
  find("#editor").dataset.state = state;
  find("#lease").textContent = words;
  const isReadOnly = !writable.includes(state);
  find("#text").readOnly = isReadOnly;
  find("#done").hidden = isReadOnly;
  find("#edit").hidden = state !== "free";
  find("#delete").hidden = state === "gone";
  find("#close").hidden = !isReadOnly && state !== "gone";
}

// MARK: A note

function newNote(title, note) {
  return notes.save({ title, note, createDate: `${new Date().toISOString().slice(0, 19)}Z` });
}

async function create(event) {
  event.preventDefault();
  await attempt(async () => {
    await newNote(find("#title").value, find("#note").value);
    find("#new").reset();
  });
}

async function open(row) {
  if (opened?.id === notes.idOf(row)) return find("#text").focus();
  if (opened) await done();
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

const isWritten = () => writable.includes(opened.state) && find("#text").value !== opened.row.note;

/** Ends the edit, and keeps what was written. */
async function done() {
  const { row, state } = opened, note = find("#text").value;
  if (!isWritten()) return close();
  if (!note) throw new Error("An empty note is not kept");
  await leaveAfter(state === "gone" ? newNote(row.title, note) : notes.save({ ...row, note }));
}

async function close() {
  const note = opened;
  leave();
  if (note?.state === "leased" && note.until) await lock(note.id, 0).catch(() => {});
}

/** The gateway sends an edit under the lease, and gives that back. */
async function leaveAfter(work) {
  const note = opened;
  await work;
  if (note === opened) leave();
}

function leave() {
  clearTimeout(opened?.timer);
  opened = null;
  find("#editor").hidden = true;
}

/** With the server, or not at all. */
async function remove() {
  try {
    await leaveAfter(asked("DELETE", pathOf(opened.id)));
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
  follow(rows).catch(complain);
}

/** The note in the editor may be another by now, have another identifier, or be gone. */
async function follow(rows) {
  const note = opened;
  if (!note || isLeft(note)) return;
  const present = rows.find(row => notes.idOf(row) === note.id) ?? await notes.get(note.id);
  if (isLeft(note)) return;
  if (present) {
    note.id = notes.idOf(present);
    // What was typed already is compared with the row as it was before.
    if (find("#text").value !== note.row.note) return;
    note.row = present;
    return fill(present);
  }
  if (!isWritten()) return leave();
  clearTimeout(note.timer);
  tell(note, "gone", "Another device has deleted this note. Done keeps what you have written as a new note");
}

function part(name, kind, text) {
  const element = document.createElement(name);
  Object.assign(element, { className: kind, textContent: text });
  return element;
}
