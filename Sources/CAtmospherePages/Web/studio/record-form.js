import { h, unique } from "./dom.js";
import { Field } from "./fields.js";
import { recordOf } from "./json.js";
import { visible } from "./text.js";

/** The members of a record, each in a field of its own. */
export class RecordForm {
  /** @type {Map<string, Field>} */
  fields = new Map();
  #entity;
  #isNew;
  #isReadOnly;

  /**
   * @param {any} entity
   * @param {{name: string, kind: string}[]} members those that objects of the entity have
   * @param {Record<string, unknown>} record
   * @param {{isNew?: boolean, isReadOnly?: boolean, onedit?: () => void}} [options]
   */
  constructor(entity, members, record, { isNew = false, isReadOnly = false, onedit = () => {} } = {}) {
    this.#entity = entity;
    this.#isNew = isNew;
    this.#isReadOnly = isReadOnly;
    this.onedit = onedit;
    this.list = h("div.fields");
    this.element = h("div.record-form", {}, this.list, !isReadOnly && this.#adder());
    // What the server gives a new object, and what a file stands for, is not written.
    const unwritten = new Set([...entity.readonly, entity.id,
      ...entity.attachments.filter(({ upload }) => upload).map(({ name }) => name)]);
    for (const member of inOrder(members, record)) {
      if (isNew && unwritten.has(member.name)) continue;
      this.#add(member, record[member.name]);
    }
  }

  #add(member, value) {
    const field = new Field(this.#entity, member, value, {
      isNew: this.#isNew, isReadOnly: this.#isReadOnly, onedit: () => this.onedit(),
    });
    this.fields.set(member.name, field);
    this.list.append(field.element);
    return field;
  }

  #adder() {
    const id = unique("add");
    const name = h("input", { id, placeholder: "another member", autocomplete: "off", spellcheck: "false" });
    const kind = h("select", { "aria-label": "Kind of the value" },
      [["string", "text"], ["number", "number"], ["boolean", "true or false"], ["object", "JSON"]].map(([value, word]) =>
        h("option", { value }, word)));
    const add = () => {
      if (!name.value) return;
      const field = this.fields.get(name.value) ?? this.#add({ name: name.value, kind: kind.value }, undefined);
      name.value = "";
      field.input?.focus();
    };
    return h("div.adder", {}, h("label.hidden-label", { for: id }, "Name of another member"), name, kind,
      h("button.button.small", { type: "button", onclick: add }, "Add"));
  }

  get isEdited() {
    return [...this.fields.values()].some((field) => field.isEdited);
  }

  /**
   * What was edited.
   * @returns {{set: Record<string, unknown>, removed: string[], wrong: Field | null}} `wrong` is the first field whose value
   * cannot be taken
   */
  changes() {
    const set = recordOf();
    const removed = [];
    let wrong = null;
    for (const field of this.fields.values()) {
      if (!field.isEdited || field.isReadOnly) continue;
      try {
        const value = field.read();
        if (value === undefined) removed.push(field.name);
        else set[field.name] = value;
      } catch (error) {
        field.say(error.message);
        wrong ??= field;
      }
    }
    return { set, removed, wrong };
  }

  /** What is there now is this record. */
  renew(record) {
    for (const field of this.fields.values()) field.renew(record[field.name]);
    for (const [name, value] of Object.entries(record)) {
      if (!this.fields.has(name)) this.#add({ name, kind: "string" }, value);
    }
  }

  /** What was set and removed is saved, as this record; what was written since stays. */
  saved({ set, removed }, record) {
    const done = [...this.fields.values()].filter((field) => removed.includes(field.name) ? field.holds(undefined)
      : field.name in set && field.holds(set[field.name]));
    this.renew(record);
    for (const field of done) field.drop();
    this.onedit();
  }

  /** Back to what is there. */
  drop() {
    for (const field of this.fields.values()) field.drop();
    this.onedit();
  }

  /**
   * Shows what was said of single members beside them.
   * @returns {{field: string, message: string}[]} what is of no member that is here
   */
  say(messages) {
    const left = [];
    for (const message of messages) {
      const field = this.fields.get(message.field);
      if (field?.message) field.say(message.message);
      else left.push(message);
    }
    return left;
  }
}

/** The record's own members first, in their order, then those that others have. */
function inOrder(members, record) {
  const known = new Map(members.map((member) => [member.name, member]));
  const names = new Set([...Object.keys(record), ...known.keys()]);
  return [...names].map((name) => known.get(name) ?? { name, kind: "string" });
}

/** The words for what waits to be saved. */
export function editedWords(form) {
  const names = [...form.fields.values()].filter((field) => field.isEdited).map((field) => visible(field.name));
  return names.length > 3 ? `${names.length} members edited` : names.length ? `Edited: ${names.join(", ")}` : "";
}
