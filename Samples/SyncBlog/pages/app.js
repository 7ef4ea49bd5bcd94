import { atmosphere } from "/atmosphere.js";

const find = selector => document.querySelector(selector);
const items = new Map();
let local, posts;

try {
  local = await atmosphere();
  posts = local.collection("posts");
  local.subscribe(showStatus);
  local.addEventListener("problem", event => complain(event.detail));
  posts.subscribe({ sort: "-written" }, rows => attempt(() => showPosts(rows)));
  find("#write").addEventListener("submit", write);
  find("#sync").addEventListener("click", () => attempt(sync));
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

function complain(error) {
  find("#problem").textContent = error.message;
  find("#problem").hidden = false;
}

async function attempt(work) {
  try { return await work(); } catch (error) { complain(error); }
}

/** Contents and synchronizing, which the module does not offer. */
async function asked(method, path, body) {
  const isFile = body instanceof Blob;
  const answer = await fetch(path, {
    method, body: isFile || !body ? body : JSON.stringify(body), headers: { "Content-Type": isFile ? body.type : "application/json" },
  });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.detail ?? `${path}: ${answer.status}`);
  return value;
}

async function sync() {
  find("#problem").hidden = true;
  const { push, pull } = await asked("POST", "/v1/sync", {}), [problem] = [...push.problems, ...pull?.problems ?? []];
  if (problem) throw new Error(problem.message);
}

const pictureOf = (id, query = "") => `/v1/objects/posts/${encodeURIComponent(id)}/contents/picture${query}`;

// MARK: Posts

async function write(event) {
  event.preventDefault();
  const post = { title: find("#title").value, body: find("#body").value, written: new Date().toISOString() };
  if (await attempt(() => posts.save(post))) find("#write").reset();
}

function showPosts(rows) {
  const left = new Set(items.keys());
  for (const row of rows) {
    const id = posts.idOf(row);
    left.delete(id);
    if (!items.has(id)) items.set(id, newItem(id));
    fill(items.get(id), row);
    find("#posts").append(items.get(id).element);
  }
  for (const id of left) {
    items.get(id).element.remove();
    items.delete(id);
  }
  return showStates();
}

function newItem(id) {
  const element = find("#post").content.firstElementChild.cloneNode(true), item = { element, id };
  const text = element.querySelector("textarea"), file = element.querySelector("input");
  // An edit is of the row as it was when the person began.
  text.addEventListener("focus", () => { item.seen = item.row; });
  text.addEventListener("change", () => attempt(() => posts.save({ ...item.seen, body: text.value })));
  element.querySelector(".remove").addEventListener("click", () => attempt(() => posts.remove(item.row)));
  file.addEventListener("change", () => attempt(async () => {
    await asked("PUT", pictureOf(posts.idOf(item.row), `?name=${encodeURIComponent(file.files[0].name)}`), file.files[0]);
    showPicture(item, URL.createObjectURL(file.files[0]));
    await showStates();
  }));
  return item;
}

function fill(item, row) {
  const text = item.element.querySelector("textarea");
  item.row = row;
  item.element.querySelector(".title").textContent = row.title;
  text.setAttribute("aria-label", `Text of ${row.title}`);
  item.element.querySelector(".remove").setAttribute("aria-label", `Delete ${row.title}`);
  if (document.activeElement !== text) text.value = row.body ?? "";
  if (row.picture && row.picture !== item.picture) attempt(() => readPicture(item));
  item.picture = row.picture;
}

/** The address stays when the picture changes, so that the browser would not ask again by itself. */
async function readPicture(item) {
  const answer = await fetch(pictureOf(posts.idOf(item.row))).catch(() => null);
  if (answer?.ok) showPicture(item, URL.createObjectURL(await answer.blob()));
}

function showPicture({ element, row }, address) {
  const image = element.querySelector("img");
  URL.revokeObjectURL(image.src);
  image.src = address;
  image.alt = `Picture of ${row.title}`;
  image.hidden = false;
}

/** ✓ as the server has it, ↑ to be sent, C in conflict: what the gateway says. */
async function showStates() {
  const { objects } = await asked("GET", "/v1/objects/posts?meta=true&limit=1000").catch(() => ({ objects: [] }));
  const states = new Map(objects.map(({ id, state }) => [String(id), state]));
  for (const [id, { element }] of items) {
    const state = states.get(id) ?? "waits", sign = element.querySelector(".sign");
    sign.textContent = state === "synchronized" ? "✓" : state.includes("conflict") ? "C" : "↑";
    sign.title = state;
  }
  const conflicts = await local.conflicts().catch(() => []);
  find("#conflicts").hidden = !conflicts.length;
  find("#conflicts ul").replaceChildren(...conflicts.map(newConflict));
}

// MARK: Conflicts

function newConflict(item) {
  const element = document.createElement("li"), heading = document.createElement("h2");
  heading.textContent = item.mine?.title ?? item.theirs?.title ?? item.base?.title ?? item.id;
  const members = (item.fields ?? []).map(name => newMember(item, name));
  const buttons = members.length ? [newButton("Decide", () => decision(item, members))]
    : ["mine", "theirs"].map(side => newButton(`Keep ${side}`, () => side));
  for (const { button, choice } of buttons) {
    button.addEventListener("click", () => attempt(async () => {
      await local.resolve(item, choice());
      await showStates();
    }));
  }
  element.append(heading, ...members.map(({ fieldset }) => fieldset), ...buttons.map(({ button }) => button));
  return element;
}

function newButton(text, choice) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "decide", textContent: text });
  return { button, choice };
}

function newMember(item, name) {
  const fieldset = find("#member").content.firstElementChild.cloneNode(true), isPicture = name === "picture";
  const own = fieldset.querySelector("[type=text]");
  fieldset.querySelector("legend").textContent = name;
  fieldset.querySelectorAll("[type=radio]").forEach(each => { each.name = `${item.id} ${name}`; });
  fieldset.classList.toggle("pictures", isPicture);
  own.setAttribute("aria-label", `${name}, as I write it`);
  own.addEventListener("input", () => { fieldset.querySelector("[value=own]").checked = true; });
  for (const side of ["mine", "theirs"]) {
    const place = fieldset.querySelector(`.${side} span`);
    if (!isPicture) {
      place.textContent = item[side]?.[name] ?? "nothing";
      continue;
    }
    const image = document.createElement("img");
    image.src = pictureOf(item.id, side === "theirs" ? "?side=theirs" : "");
    image.alt = `The picture, ${side}`;
    place.append(image);
  }
  if (isPicture) fieldset.querySelectorAll(".both, .own").forEach(each => each.remove());
  return { name, fieldset, own: () => own.value, choice: () => fieldset.querySelector(":checked").value };
}

/** One side as a whole, or a value for each member. */
function decision(item, members) {
  const choices = members.map(member => member.choice());
  if (new Set(choices).size === 1 && ["mine", "theirs"].includes(choices[0])) return choices[0];
  return Object.fromEntries(members.map(({ name, own }, index) => {
    const mine = item.mine?.[name], theirs = item.theirs?.[name];
    return [name, { mine, theirs, both: `${theirs}\n${mine}`, own: own() }[choices[index]]];
  }));
}

// MARK: How it stands

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
  attempt(showStates);
}
