import { pictureElement } from "./attachments.js";
import { CardsView } from "./cards-view.js";
import { differenceElement } from "./difference.js";
import { fill, h, unique } from "./dom.js";
import { Field, objectLink } from "./fields.js";
import { ask, divided, objectPath } from "./gateway.js";
import { kindOf, same } from "./json.js";
import { problemElement } from "./messages.js";
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
  #files;
  #members = [];

  constructor(studio, item) {
    this.#studio = studio;
    this.#item = item;
    this.#entity = studio.entities.get(divided(item.uri)[0]);
    this.#files = new Map(item.files.map((file) => [file.field, file]));
    this.place = h("div.place");
    const isWhole = item.mine === null || item.theirs === null;
    const id = unique("conflict");
    this.element = h("article.card.conflict", { "aria-labelledby": id, "data-uri": item.uri },
      h("header.card-head", {}, h("h2", { id, tabindex: "-1" }, objectLink(item.uri)),
        h("span.quiet-words", {}, item.fields.length ? h("bdi", {}, visible(item.fields.join(", "))) : "")),
      item.message && h("p.words", {}, h("bdi", {}, visible(item.message))),
      isWhole ? this.#wholeElement() : this.#membersElement(), this.place,
      !studio.isReadOnly && h("footer.card-foot", {}, this.#buttons(isWhole)));
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

  #membersElement() {
    const { fields } = this.#item;
    this.#members = fields.map((name) => new MemberChoice(this.#entity, this.#item, name, this.#files.get(name)));
    const rest = this.#others(fields);
    return h("div.members", {}, this.#members.map((member) => member.element), rest.length > 0 && h("details", {},
      h("summary", {}, "What does not clash"),
      h("dl.facts", {}, rest.map(([name, side, value]) =>
        [h("dt", {}, h("bdi", {}, visible(name)), h("span.type", {}, side)),
          h("dd", {}, changeElement(this.#item.base?.[name], value))]))));
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
    return this.#members.some((member) => member.isEdited);
  }

  // The decision

  #buttons(isWhole) {
    const make = (word, run, kind = "button.button") => h(kind, { type: "button", onclick: run, "data-decide": word }, word);
    const { mine, theirs } = this.#item;
    const areTexts = this.#members.length > 0 && this.#members.some((member) => member.isText);
    return [
      make(mine === null ? "Delete it" : isWhole ? "Keep mine" : "All mine", () => this.#decide({ decision: "mine" })),
      make(theirs === null ? "Let it go" : isWhole ? "Keep theirs" : "All theirs", () => this.#decide({ decision: "theirs" })),
      areTexts && make("Both texts", () => this.#both()),
      h("span.gap"),
      !isWhole && this.#members.length > 0 && make("Decide as chosen", () => this.#chosen(), "button.button.primary"),
    ];
  }

  /** Both texts, line by line; what is no text is as chosen. */
  #both() {
    return this.#try(() => {
      const set = {};
      for (const member of this.#members) if (!member.isText) set[member.name] = member.value();
      return Object.keys(set).length ? { decision: "both", set } : { decision: "both" };
    });
  }

  #chosen() {
    return this.#try(() => {
      // What is not there, and a file, are no values: they come with the rest of their side.
      const sides = new Set(this.#members.filter((member) => member.needsSide).map((member) => member.choice));
      if (sides.size > 1) {
        throw new Error("What is not set, or a file, can be taken from one side only; decide the whole, then edit the object.");
      }
      const rest = [...sides][0] ?? "mine";
      const set = {};
      for (const member of this.#members) if (member.choice !== rest) set[member.name] = member.value();
      return Object.keys(set).length ? { decision: "set", set, else: rest } : { decision: rest };
    });
  }

  #decide(decision) {
    return this.#try(() => decision);
  }

  async #try(make) {
    fill(this.place);
    try {
      await ask("POST", objectPath(this.#item.uri, "resolve"), { value: make() });
      this.#studio.say(`${this.#item.uri} is decided; the next push sends it.`);
    } catch (problem) {
      fill(this.place, problemElement(problem));
    }
  }
}

/** The choice of one member that clashes: mine, theirs, both, or what a person writes. */
class MemberChoice {
  #item;
  #entity;
  #file;
  #field = null;

  constructor(entity, item, name, file) {
    this.name = name;
    this.#item = item;
    this.#entity = entity;
    this.#file = file;
    this.choice = "mine";
    this.isText = !file && typeof this.#side("mine") === "string" && typeof this.#side("theirs") === "string";
    this.editor = h("div.own-value", { hidden: true });
    const group = unique("choice");
    const choices = ["mine", "theirs", ...(this.isText ? ["both"] : []), ...(file ? [] : ["own"])];
    this.cells = new Map(choices.map((choice) => [choice, this.#option(group, choice)]));
    this.element = h("fieldset.choice", { "data-member": name }, h("legend", {}, h("bdi", {}, visible(name)),
      entity.types[name] && h("span.type", {}, entity.types[name])),
    h("div.sides", {},
      h("div.side.base", {}, h("span.side-name", {}, "base"), this.#shown("base")), this.cells.get("mine"),
        this.cells.get("theirs")),
    h("div.row", {}, this.cells.get("both"), this.cells.get("own")), this.editor);
  }

  #side(side) {
    return this.#item[side]?.[this.name];
  }

  #option(group, choice) {
    const words = { mine: "mine", theirs: "theirs", both: "both, one after the other", own: "write it myself" };
    const input = h("input", {
      type: "radio", name: group, value: choice, checked: choice === this.choice, onchange: () => this.#choose(choice),
    });
    const isSide = choice === "mine" || choice === "theirs";
    return h(isSide ? "label.side.option" : "label.option.short", { "data-choice": choice }, input,
      h("span.side-name", {}, words[choice]),
      isSide && this.#shown(choice));
  }

  #choose(choice) {
    this.choice = choice;
    this.editor.hidden = choice !== "own" && choice !== "both";
    if (this.editor.hidden) return;
    const [mine, theirs] = [this.#side("mine"), this.#side("theirs")];
    const value = choice === "both" ? `${mine}\n${theirs}` : mine ?? theirs;
    const kind = kindOf(value ?? null);
    this.#field = new Field(this.#entity, { name: this.name, kind: kind === "null" ? "string" : kind }, value, { isNew: true });
    fill(this.editor, this.#field.element);
    if (choice === "own") this.#field.input.focus();
  }

  #shown(side) {
    const value = this.#side(side);
    if (this.#file && side === "mine") return this.#waitingFile();
    if (this.#file && side === "theirs") return this.#serversFile(value);
    const base = this.#side("base");
    const isDifference = side !== "base" && typeof base === "string" && typeof value === "string" && base !== "";
    return h("div.side-value", {}, isDifference ? differenceElement(base, value) : valueElement(value));
  }

  #waitingFile() {
    const place = h("div.side-value", {}, h("bdi", {}, visible(this.#file.file)), ` (${size(this.#file.bytes)})`);
    if (this.#file.type.startsWith("image/")) this.#picture(place, "", "mine");
    return place;
  }

  #serversFile(value) {
    const place = h("div.side-value", {}, valueElement(value, 400));
    if (value !== null && value !== undefined) this.#picture(place, "?side=theirs", "theirs");
    return place;
  }

  async #picture(place, query, side) {
    try {
      const path = objectPath(this.#item.uri, "contents", this.name) + query;
      place.prepend(await pictureElement(path, `${this.name}, ${side}`));
    } catch (problem) {
      place.append(problemElement(problem));
    }
  }

  get isEdited() {
    return !this.editor.hidden && Boolean(this.#field?.isEdited);
  }

  /** What is chosen cannot be written as a value. */
  get needsSide() {
    if (this.choice === "mine") return Boolean(this.#file) || this.#side("mine") === undefined;
    return this.choice === "theirs" && this.#side("theirs") === undefined;
  }

  /** @throws {Error} for what cannot be taken as it is written */
  value() {
    if (this.choice === "mine" || this.choice === "theirs") return this.#side(this.choice) ?? null;
    const value = this.#field.read();
    return value === undefined ? (this.isText ? "" : null) : value;
  }
}

function changeElement(before, after) {
  return typeof before === "string" && typeof after === "string" && before !== "" && before !== after
    ? differenceElement(before, after)
    : valueElement(after);
}
