import { pictureElement } from "./attachments.js";
import { CardsView } from "./cards-view.js";
import { differenceElement } from "./difference.js";
import { arrange, fill, h, unique } from "./dom.js";
import { Field, objectLink } from "./fields.js";
import { ask, divided, get, objectPath } from "./gateway.js";
import { kindOf, recordOf, same } from "./json.js";
import { confirmed, problemElement } from "./messages.js";
import { nameOf } from "./names.js";
import { size, valueElement, visible } from "./text.js";

/** What both sides changed, side by side, for a person to decide. */
export function conflictsView(studio, place, signal) {
  return new CardsView(studio, place, signal, {
    title: "Conflicts", path: "/v1/conflicts", one: "conflict",
    intro: "Here and on the server the same members were changed. Choose for each member, or write what it shall be; the next "
      + "push sends it.",
    empty: ["No conflicts", "Nothing was changed on both sides."],
    make: (item) => new ConflictCard(studio, item),
  });
}

/** One conflict. */
class ConflictCard {
  #studio;
  #item;
  #entity;
  #members = new Map();

  constructor(studio, item) {
    this.#studio = studio;
    this.#entity = studio.entities.get(divided(item.uri)[0]);
    this.name = h("bdi.object-name");
    this.clashes = h("bdi.quiet-words");
    this.words = h("p.words");
    this.body = h("div.members");
    this.rest = h("dl.facts");
    this.restElement = h("details", {}, h("summary", {}, "What does not clash"), this.rest);
    this.place = h("div.place");
    this.foot = h("footer.card-foot", { hidden: studio.isReadOnly });
    const id = unique("conflict");
    this.element = h("article.card.conflict", { "aria-labelledby": id, "data-uri": item.uri },
      h("header.card-head", {}, h("h2", { id, tabindex: "-1" }, this.name, objectLink(item.uri)), this.clashes),
      this.words, this.body, this.place, this.foot);
    this.renew(item);
  }

  /** Both sides are this by now; what is chosen and written stays. */
  renew(item) {
    this.#item = item;
    const isWhole = item.mine === null || item.theirs === null;
    this.name.textContent = nameOf(item.mine ?? item.theirs ?? item.base);
    this.clashes.textContent = visible(item.fields.join(", "));
    this.words.hidden = !item.message;
    fill(this.words, h("bdi", {}, visible(item.message ?? "")));
    this.#renewMembers(isWhole ? [] : item.fields);
    const rest = isWhole ? [] : this.#others(item.fields);
    fill(this.rest, rest.map(([name, side, value]) =>
      [h("dt", {}, h("bdi", {}, visible(name)), h("span.type", {}, side)),
        h("dd", {}, changeElement(item.base?.[name], value))]));
    arrange(this.body, [...(isWhole ? [this.#wholeElement()] : []), ...[...this.#members.values()].map(({ element }) => element),
      ...(rest.length ? [this.restElement] : [])]);
    this.#renewFoot(isWhole);
  }

  // One side has deleted the object

  #wholeElement() {
    const { base, mine, theirs } = this.#item;
    const record = mine ?? theirs ?? {};
    const names = Object.keys(record).filter((name) => !same(record[name], base?.[name]));
    return h("div.whole", {},
      h("p", {}, mine === null ? "It was deleted here, and edited on the server."
        : "It was edited here, and deleted on the server."),
      h("dl.facts", {}, (names.length ? names : Object.keys(record)).map((name) =>
        [h("dt", {}, h("bdi", {}, visible(name))), h("dd", {}, changeElement(base?.[name], record[name]))])));
  }

  // Each member

  /** Those that clash, and those for which a person has written something. */
  #renewMembers(fields) {
    const members = new Map();
    for (const name of new Set([...fields, ...this.#members.keys()])) {
      const known = this.#members.get(name);
      if (!fields.includes(name) && !known.isEdited) continue;
      known?.renew(this.#item);
      members.set(name, known ?? new MemberChoice(this.#entity, this.#item, name, () => this.#showChosen()));
    }
    this.#members = members;
  }

  #others(fields) {
    const { base, mine, theirs } = this.#item;
    const names = new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})].filter((name) => !fields.includes(name)));
    return [...names].flatMap((name) => {
      if (!same(mine?.[name], base?.[name])) return [[name, "mine", mine?.[name]]];
      if (!same(theirs?.[name], base?.[name])) return [[name, "theirs", theirs?.[name]]];
      return [];
    });
  }

  /** Whether something is written that is not decided. */
  get isEdited() {
    return [...this.#members.values()].some((member) => member.isEdited);
  }

  // The decision

  #renewFoot(isWhole) {
    const make = (word, run, kind = "button.button") => h(kind, { type: "button", onclick: run, "data-decide": word }, word);
    const { mine, theirs } = this.#item;
    const members = [...this.#members.values()];
    this.chosen = make("Decide as chosen", () => this.#chosen());
    this.chosen.dataset.save = "";
    const focused = this.foot.contains(document.activeElement) ? document.activeElement.dataset.decide : null;
    fill(this.foot,
      make(mine === null ? "Delete it" : isWhole ? "Keep mine" : "All mine", () => this.#instead(() => ({ decision: "mine" }))),
      make(theirs === null ? "Let it go" : isWhole ? "Keep theirs" : "All theirs", () => this.#instead(() => ({ decision: "theirs" }))),
      !isWhole && members.some((member) => member.isText) && make("Both texts, line by line", () => this.#both()),
      h("span.gap"),
      !isWhole && members.length > 0 && this.chosen);
    if (focused) this.foot.querySelector(`[data-decide="${CSS.escape(focused)}"]`)?.focus();
    this.#showChosen();
  }

  /** The button stands out when there is something chosen for each member. */
  #showChosen() {
    this.chosen?.classList.toggle("primary", [...this.#members.values()].every((member) => member.choice));
  }

  /** Both texts, line by line; what is no text is as chosen. */
  #both() {
    return this.#instead(() => {
      const set = recordOf();
      for (const member of this.#decided((each) => !each.isText)) set[member.name] = member.value();
      return Object.keys(set).length ? { decision: "both", set } : { decision: "both" };
    }, (member) => member.isText);
  }

  #chosen() {
    return this.#try(() => {
      const members = this.#decided(() => true);
      // What is not there, and a file, are no values: they come with the rest of their side.
      const sides = new Set(members.filter((member) => member.needsSide).map((member) => member.choice));
      if (sides.size > 1) {
        throw new Error("What is not set, or a file, can be taken from one side only; decide the whole, then edit the object.");
      }
      const rest = [...sides][0] ?? "mine";
      const set = recordOf();
      for (const member of members) if (member.choice !== rest) set[member.name] = member.value();
      return Object.keys(set).length ? { decision: "set", set, else: rest } : { decision: rest };
    });
  }

  /** Members for which a person has chosen. @throws {Error} where one is open */
  #decided(concerns) {
    const members = [...this.#members.values()].filter(concerns);
    const open = members.filter((member) => !member.choice);
    if (!open.length) return members;
    open[0].focus();
    throw new Error(`Choose for ${open.map(({ name }) => visible(name)).join(", ")} first.`);
  }

  /** Decides otherwise than is chosen for these members; asks before what is written for them is lost. */
  async #instead(make, concerns = () => true) {
    const lost = [...this.#members.values()].filter((member) => member.isEdited && concerns(member));
    const isSure = !lost.length || await confirmed({
      title: "Decide without what you have written?", yes: "Decide", no: "Stay", isGrave: true,
      text: `What you have written for ${lost.map(({ name }) => visible(name)).join(", ")} is not saved.`,
    });
    if (isSure) await this.#try(make);
  }

  async #try(make) {
    fill(this.place);
    try {
      const value = make();
      await ask("POST", objectPath(this.#item.uri, "resolve"), { value, headers: await this.#asShown() });
      this.#members.clear();
      this.#studio.say(`${this.#item.uri} is decided; the next push sends it.`);
      this.element.dispatchEvent(new Event("decided", { bubbles: true }));
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
  }

  /**
   * The headers with which only what is shown is decided. The tag of the record is that of mine; theirs is looked at before.
   * @throws {Error} where either side is another by now; the card shows it then
   */
  async #asShown() {
    const { decision, record } = await get(objectPath(this.#item.uri, "state"));
    const seen = record && await ask("GET", objectPath(this.#item.uri));
    if (same(decision, this.#item) && (!record || same(seen.value, this.#item.mine))) {
      return seen ? { "If-Match": seen.headers.get("ETag") } : {};
    }
    if (decision?.state !== "conflicted") throw new Error("It is decided already, by somebody else.");
    this.renew(decision);
    throw new Error("It has changed since it was shown here. Look at it again, then decide.");
  }
}

const choices = { mine: "mine", theirs: "theirs", both: "both, one after the other", own: "write it myself" };

/** The choice of one member that clashes: mine, theirs, both, or what a person writes; nothing is chosen beforehand. */
class MemberChoice {
  #item = null;
  #entity;
  #file;
  /** What is written for a choice stays while another is chosen. @type {Map<string, Field>} */
  #fields = new Map();
  #onchoose;
  /** @type {keyof choices | null} */
  choice = null;

  constructor(entity, item, name, onchoose) {
    this.name = name;
    this.#entity = entity;
    this.#onchoose = onchoose;
    this.editor = h("div.own-value", { hidden: true });
    this.note = h("p.field-note", { role: "status", hidden: true });
    this.values = new Map(["base", "mine", "theirs"].map((side) => [side, h("div.side-value")]));
    const group = unique("choice");
    this.cells = new Map(Object.keys(choices).map((choice) => [choice, this.#option(group, choice)]));
    this.element = h("fieldset.choice", { "data-member": name }, h("legend", {}, h("bdi", {}, visible(name)),
      entity.types[name] && h("span.type", {}, entity.types[name])),
    h("div.sides", {},
      h("div.side.base", {}, h("span.side-name", {}, "base"), this.values.get("base")), this.cells.get("mine"),
        this.cells.get("theirs")),
    h("div.row", {}, this.cells.get("both"), this.cells.get("own")), this.note, this.editor);
    this.renew(item);
  }

  #option(group, choice) {
    const input = h("input", { type: "radio", name: group, value: choice, onchange: () => this.#choose(choice) });
    const isSide = this.values.has(choice);
    return h(isSide ? "label.side.option" : "label.option.short", { "data-choice": choice }, input,
      h("span.side-name", {}, choices[choice]), isSide && this.values.get(choice));
  }

  /** Both sides are this by now; what is chosen and written stays, and a note says what has changed since. */
  renew(item) {
    const [before, fileBefore] = [this.#item, this.#file];
    this.#item = item;
    this.#file = item.files.find(({ field }) => field === this.name);
    this.isText = !this.#file && typeof this.#side("mine") === "string" && typeof this.#side("theirs") === "string";
    this.cells.get("both").hidden = !this.isText;
    this.cells.get("own").hidden = Boolean(this.#file);
    const changed = [...this.values.keys()].filter((side) => !before || !same(before[side]?.[this.name], this.#side(side))
      || (side === "mine" && !same(fileBefore, this.#file)));
    // Both sides are shown against the base.
    for (const side of changed.includes("base") ? this.values.keys() : changed) this.#show(side);
    if (this.choice && this.cells.get(this.choice).hidden) this.#unchoose();
    if (before && this.choice) this.#follow(changed);
  }

  #follow(changed) {
    for (const [choice, field] of this.#fields) field.renew(this.#suggested(choice));
    const sides = changed.filter((side) => side !== "base" && (side === this.choice || this.#field));
    if (!sides.length) return;
    this.note.hidden = false;
    this.note.textContent = `${sides.join(" and ")} changed since you chose.`;
  }

  #side(side) {
    return this.#item[side]?.[this.name];
  }

  #choose(choice) {
    this.choice = choice;
    this.note.hidden = true;
    this.editor.hidden = this.values.has(choice);
    if (!this.editor.hidden) this.#edit();
    this.#onchoose();
  }

  #unchoose() {
    this.cells.get(this.choice).querySelector("input").checked = false;
    this.#fields.delete(this.choice);
    this.choice = null;
    this.editor.hidden = true;
  }

  #edit() {
    if (!this.#field) this.#fields.set(this.choice, this.#made());
    fill(this.editor, this.#field.element);
    // With the keyboard, arrows go on to the next choice, and Tab to the text.
    const isByKey = this.cells.get("own").querySelector(":focus-visible");
    if (this.choice === "own" && !isByKey) this.#field.input?.focus();
  }

  get #field() {
    return this.#fields.get(this.choice) ?? null;
  }

  #made() {
    const value = this.#suggested(this.choice);
    const kind = kindOf(value ?? null);
    return new Field(this.#entity, { name: this.name, kind: kind === "null" ? "string" : kind }, value, { isNew: true });
  }

  /** What a person begins with. */
  #suggested(choice) {
    const [mine, theirs] = [this.#side("mine"), this.#side("theirs")];
    return choice === "both" ? `${mine}\n${theirs}` : mine ?? theirs;
  }

  #show(side) {
    const [place, value, base] = [this.values.get(side), this.#side(side), this.#side("base")];
    if (this.#file && side === "mine") return this.#showWaitingFile(place);
    if (this.#file && side === "theirs") return this.#showServersFile(place, value);
    const isDifference = side !== "base" && typeof base === "string" && typeof value === "string" && base !== "";
    return fill(place, isDifference ? differenceElement(base, value) : valueElement(value));
  }

  #showWaitingFile(place) {
    fill(place, h("bdi", {}, visible(this.#file.file)), ` (${size(this.#file.bytes)})`);
    if (this.#file.type.startsWith("image/")) this.#picture(place, "", "mine");
  }

  #showServersFile(place, value) {
    fill(place, valueElement(value, 400));
    if (value !== null && value !== undefined) this.#picture(place, "?side=theirs", "theirs");
  }

  async #picture(place, query, side) {
    const words = place.firstChild;
    try {
      const path = objectPath(this.#item.uri, "contents", this.name) + query;
      const picture = await pictureElement(path, `${this.name}, ${side}`);
      // Another one is shown by now.
      if (words.parentNode === place) place.prepend(picture);
    } catch (problem) {
      place.append(problemElement(problem));
    }
  }

  get isEdited() {
    return [...this.#fields.values()].some((field) => field.isEdited);
  }

  /** What is chosen cannot be written as a value. */
  get needsSide() {
    if (this.choice === "mine") return Boolean(this.#file) || this.#side("mine") === undefined;
    return this.choice === "theirs" && this.#side("theirs") === undefined;
  }

  /** @throws {Error} for what cannot be taken as it is written */
  value() {
    if (this.values.has(this.choice)) return this.#side(this.choice) ?? null;
    const value = this.#field.read();
    return value === undefined ? (this.isText ? "" : null) : value;
  }

  focus() {
    this.cells.get("mine").querySelector("input").focus();
  }
}

function changeElement(before, after) {
  return typeof before === "string" && typeof after === "string" && before !== "" && before !== after
    ? differenceElement(before, after)
    : valueElement(after);
}
