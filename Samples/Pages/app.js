import { atmosphere } from "/atmosphere.js";

const find = selector => document.querySelector(selector);
const items = new Map();
let local, tasks, lists, unsubscribe;

try {
  local = await atmosphere();
  tasks = local.collection("tasks");
  lists = local.collection("lists");
  local.subscribe(showStatus);
  local.addEventListener("problem", event => complain(event.detail));
  lists.subscribe({ sort: "title" }, showLists);
  for (const id of ["#filter", "#sort", "#find"]) find(id).addEventListener("input", follow);
  find("#create").addEventListener("submit", create);
  follow();
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}
find("#problem button").addEventListener("click", () => { find("#problem").hidden = true; });

/** Says what went wrong, and how to go on. */
function complain(error) {
  find("#problem p").textContent = error.message;
  find("#problem").hidden = false;
}

/** Does what a person asked for, and says why where it cannot be done. */
async function attempt(work) {
  try { return await work(); } catch (error) { complain(error); }
}

// MARK: Tasks

function query() {
  const shown = find("#filter").value, text = find("#find").value.trim();
  return {
    where: task => (shown === "all" || Boolean(task.done) === (shown === "done"))
      && (!text || String(task.title ?? "").toLowerCase().includes(text.toLowerCase())),
    sort: find("#sort").value,
    limit: 200,
  };
}

function follow() {
  unsubscribe?.();
  unsubscribe = tasks.subscribe(query(), showTasks);
}

function showTasks(rows, total) {
  find("#count").textContent = total > rows.length ? `${rows.length} of ${total}` : `${total}`;
  find("#empty").hidden = total > 0;
  const list = find("#tasks"), left = new Set(items.keys());
  rows.forEach((row, index) => {
    const id = tasks.idOf(row);
    left.delete(id);
    if (!items.has(id)) items.set(id, newItem());
    const item = items.get(id);
    fill(item, row);
    // Moved only where it has to be, so that the focus stays.
    if (list.children[index] !== item.element) list.insertBefore(item.element, list.children[index] ?? null);
  });
  for (const id of left) {
    items.get(id).element.remove();
    items.delete(id);
  }
}

function newItem() {
  const element = find("#task").content.firstElementChild.cloneNode(true);
  const item = { element, row: null, seen: null };
  const [box, title, due, remove] = element.children;
  box.addEventListener("change", () => attempt(() => tasks.save({ ...item.row, done: box.checked })));
  // An edit is of the row as it was when the person began: what others have changed since is a conflict, and not gone.
  element.addEventListener("focusin", () => { item.seen = item.row; });
  title.addEventListener("change", () => attempt(() => tasks.save({ ...item.seen, title: title.value })));
  due.addEventListener("change", () => attempt(() => tasks.save({ ...item.seen, due: due.value || null })));
  title.addEventListener("keydown", event => {
    if (event.key === "Escape") title.value = item.row.title ?? "";
    if (event.key === "Enter" || event.key === "Escape") title.blur();
  });
  remove.addEventListener("click", () => {
    const next = element.nextElementSibling ?? element.previousElementSibling;
    (next?.querySelector(".remove") ?? find("#title")).focus();
    attempt(() => tasks.remove(item.row));
  });
  return item;
}

function fill(item, row) {
  item.row = row;
  const [box, title, due, remove] = item.element.children, name = row.title || "without a title";
  item.element.classList.toggle("done", Boolean(row.done));
  box.checked = Boolean(row.done);
  box.setAttribute("aria-label", `Done: ${name}`);
  // What a person is writing stays.
  if (document.activeElement !== title) title.value = row.title ?? "";
  title.setAttribute("aria-label", `Title of ${name}`);
  if (document.activeElement !== due) due.value = row.due ?? "";
  due.classList.toggle("set", Boolean(row.due));
  due.setAttribute("aria-label", `Due date of ${name}`);
  remove.setAttribute("aria-label", `Delete ${name}`);
}

async function create(event) {
  event.preventDefault();
  const title = find("#title"), list = (await lists.all()).find(each => lists.idOf(each) === find("#list").value);
  const saved = await attempt(() => tasks.save({ title: title.value, list: list?.id, done: false }));
  if (saved) title.value = "";
  title.focus();
}

function showLists(rows) {
  const select = find("#list"), chosen = select.value;
  select.replaceChildren(...rows.map(row => new Option(row.title, lists.idOf(row))));
  if (rows.some(row => lists.idOf(row) === chosen)) select.value = chosen;
}

// MARK: How it stands

async function showStatus(status) {
  const words = {
    starting: "opening …",
    connected: "in step with the gateway",
    unreachable: "the gateway does not answer; go on working",
    signedOut: "open the link that the gateway printed",
    foreign: "another gateway answers here",
  };
  const parts = [words[status.state]];
  if (status.pending && status.state !== "connected") parts.push(`${status.pending} to be sent`);
  if (status.storage === "memory") parts.push("this browser keeps nothing when the page is closed");
  if (status.storage === "full") parts.push("the browser’s storage is full");
  const line = find("#status");
  line.dataset.state = status.state;
  line.dataset.pending = status.pending;
  line.textContent = parts.join(" · ");
  line.title = status.message;
  await showDecisions();
}

async function showDecisions() {
  // What the gateway has to decide is not known while it does not answer.
  const conflicts = await local.conflicts().catch(() => []);
  find("#decisions ul").replaceChildren(...conflicts.map(newDecision));
  find("#decisions").hidden = !conflicts.length;
}

function newDecision(item) {
  const element = find("#decision").content.firstElementChild.cloneNode(true);
  const what = item.kind === "refused" ? `refused: ${item.message}`
    : item.theirs === null ? "was deleted by somebody else" : item.mine === null ? "was edited by somebody else, deleted by you"
      : "was edited by you and by somebody else";
  const title = item.theirs?.title ?? item.mine?.title ?? item.base?.title ?? item.id;
  element.querySelector(".what").textContent = `“${title}” ${what.replace(/\.$/, "")}.`;
  const sides = element.querySelector("dl");
  for (const field of item.fields?.filter(each => typeof each === "string") ?? []) {
    for (const side of ["mine", "theirs"]) {
      if (!item[side]) continue;
      const term = document.createElement("dt"), value = document.createElement("dd");
      term.textContent = `${field}, ${side}`;
      value.textContent = text(item[side][field]);
      sides.append(term, value);
    }
  }
  for (const button of element.querySelectorAll("button")) {
    const { decision } = button.dataset, isRefused = item.kind === "refused";
    button.hidden = isRefused === ["mine", "theirs"].includes(decision);
    button.addEventListener("click", () => attempt(async () => {
      await (isRefused ? local[decision](item) : local.resolve(item, decision));
      await showDecisions();
    }));
  }
  return element;
}

const text = value => typeof value === "string" ? value : value === undefined ? "nothing" : JSON.stringify(value);
