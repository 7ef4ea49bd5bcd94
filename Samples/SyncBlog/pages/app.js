import { atmosphere } from "/atmosphere.js";
import {
  arrange, asked, followRows, problems, showDecisions, showSign, showStatus, synchronize, watchStates,
} from "/atmosphere-decisions.js";

const find = selector => document.querySelector(selector);
const { complain, attempt } = problems(find("#problem"));
const items = new Map();
let local, posts, lookAtStates;

try {
  local = await atmosphere();
  posts = local.collection("posts");
  showStatus(find("#status"), local);
  showDecisions(find("#decide"), local, ({ title }) => title, choiceByMember);
  local.addEventListener("problem", event => complain(event.detail));
  lookAtStates = watchStates(local, "posts", showStates);
  followRows(posts, { sort: "-written" }, items, showPosts);
  find("#write").addEventListener("submit", write);
  find("#sync").addEventListener("click", () => attempt(synchronize));
} catch (error) {
  find("#status").textContent = "not available";
  complain(error);
}

const pictureOf = (id, query = "") => `/v1/objects/posts/${encodeURIComponent(id)}/contents/picture${query}`;

// MARK: Posts

async function write(event) {
  event.preventDefault();
  const post = { title: find("#title").value, body: find("#body").value, written: new Date().toISOString() };
  if (await attempt(() => posts.save(post))) find("#write").reset();
}

function showPosts(rows) {
  arrange(find("#posts"), items, posts, rows, newItem, fill);
  lookAtStates();
}

function newItem() {
  const element = find("#post").content.firstElementChild.cloneNode(true), item = { element };
  const text = element.querySelector("textarea"), file = element.querySelector("input");
  // An edit is of the row as it was when the person began.
  text.addEventListener("focus", () => { item.seen = item.row; });
  text.addEventListener("change", () => attempt(() => posts.save({ ...item.seen, body: text.value })));
  element.querySelector(".remove").addEventListener("click", () => attempt(() => posts.remove(item.row)));
  file.addEventListener("change", () => attempt(async () => {
    await asked("PUT", pictureOf(posts.idOf(item.row), `?name=${encodeURIComponent(file.files[0].name)}`), file.files[0]);
    showPicture(item, URL.createObjectURL(file.files[0]));
    await lookAtStates();
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
  if (row.picture && row.picture !== item.picture) readPicture(item).catch(complain);
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

/** ✓ as the server has it, ↑ to be sent, C in conflict. What the server has not seen has no `updated_at`. */
function showStates(stateOf) {
  for (const [id, { element, row }] of items) {
    const state = stateOf(id);
    showSign(element.querySelector(".sign"), row.updated_at || state !== "synchronized" ? state : "new");
  }
}

// MARK: Conflicts

/** What both have written, member by member; what a person has chosen and written stays where the other side changes again. */
function choiceByMember(item, before) {
  const members = item.fields.map(name => newMember(item, name, before?.members.find(each => each.name === name)));
  const element = document.createElement("div");
  element.append(...members.map(({ fieldset }) => fieldset));
  return { element, members, decision: () => decision(item, members) };
}

function newMember(item, name, before) {
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
  if (before) {
    own.value = before.own();
    fieldset.querySelector(`[value=${before.choice()}]`).checked = true;
  }
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
