import { fill, h, unique } from "./dom.js";
import { divided } from "./gateway.js";
import { icon } from "./icons.js";
import { ExactNumber, kindOf, numberFrom, parse, same, write } from "./json.js";
import { link } from "./router.js";
import { count, cut, plain, valueElement, visible } from "./text.js";

/** Longer texts are edited only where a person asks for it: a browser needs long to lay them out. */
const largeText = 20_000;

const numberTypes = ["integer", "decimal", "float"];

/** A value that cannot be taken as it is written. */
export class FieldError extends Error {}

/**
 * One member of a record, shown or edited: a value, null, or not set at all.
 */
export class Field {
  #entity;
  #original;
  #mode = "absent";
  /** What was written when null was set. @type {[string, string] | null} */
  #beforeNull = null;
  #isNew;
  #onedit;
  #words = unique("words");

  /**
   * @param {any} entity what `/v1/entities` says of it
   * @param {{name: string, kind: string}} member
   * @param {unknown} value undefined where the record does not have it
   * @param {{isReadOnly?: boolean, isNew?: boolean, onedit?: () => void}} options
   */
  constructor(entity, { name, kind }, value, { isReadOnly = false, isNew = false, onedit = () => {} } = {}) {
    this.name = name;
    this.#entity = entity;
    this.#original = value;
    this.#isNew = isNew;
    this.#onedit = onedit;
    const own = value === undefined || value === null ? kind : kindOf(value);
    this.kind = own === "array" ? "object" : own;
    this.isReadOnly = isReadOnly || (!isNew && entity.readonly.includes(name));
    this.element = h("div.field", { "data-member": name });
    this.message = h("p.field-message", { id: this.#words, hidden: true });
    this.note = h("p.field-note", { hidden: true });
    this.#build();
  }

  get type() {
    return this.#entity.types[this.name] ?? { object: "JSON", string: "text" }[this.kind] ?? this.kind;
  }

  #build() {
    const id = unique("field");
    const label = h("label.field-label", { for: id }, h("bdi", {}, visible(this.name)));
    const type = h("span.type", {}, this.type);
    if (this.isReadOnly) {
      this.shown = h("div.field-value", {});
      this.element.append(h("div.field-head", {}, h("span.field-label", {}, h("bdi", {}, visible(this.name))), h("span.type", {},
        icon("lock"), "read only")), this.shown);
      this.show(this.#original);
      return;
    }
    if (typeof this.#original === "string" && this.#original.length > largeText) {
      this.#buildLarge(type);
      return;
    }
    this.#buildInput(id, label, type);
  }

  /** The beginning of a long text, and a button to edit all of it. */
  #buildLarge(type) {
    this.shown = h("div.field-value", {});
    const name = h("span.field-label", {}, h("bdi", {}, visible(this.name)));
    const edit = h("button.button.small", {
      type: "button",
      onclick: () => {
        const id = unique("field");
        this.element.replaceChildren();
        this.#buildInput(id, h("label.field-label", { for: id }, h("bdi", {}, visible(this.name))), type);
        this.input.focus();
      },
    }, `Edit all ${count(this.#original.length)} characters`);
    this.element.append(h("div.field-head", {}, name, type), this.shown, h("div.row", {}, edit), this.message, this.note);
    this.show(this.#original);
  }

  #buildInput(id, label, type) {
    this.input = this.#input(id);
    this.nullButton = h("button.plain.small", {
      type: "button", title: "null (Alt N)", "aria-pressed": "false", "aria-label": `${this.name}: null`,
      onclick: () => this.#toggleNull(),
    }, "null");
    this.reference = h("a.reference", { hidden: true });
    this.element.append(h("div.field-head", {}, label, type, h("span.gap"), this.reference, this.nullButton), this.input,
      this.message, this.note);
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("keydown", (event) => this.#press(event));
    this.show(this.#original);
  }

  #input(id) {
    const common = { id, "aria-describedby": this.#words, "aria-keyshortcuts": "Alt+N", autocomplete: "off", spellcheck: "false" };
    if (this.kind === "boolean") {
      return h("select", common, h("option", { value: "" }, "not set"), h("option", { value: "true" }, "true"),
        h("option", { value: "false" }, "false"));
    }
    if (this.kind === "object") return h("textarea.code", { ...common, rows: 4 });
    if (this.#entity.types[this.name] === "date" && this.#isDate) return h("input", { ...common, type: "date" });
    const isNumber = this.kind === "number" || numberTypes.includes(this.#entity.types[this.name]);
    if (isNumber) return h("input.number", { ...common, inputmode: "decimal" });
    const text = typeof this.#original === "string" ? this.#original : "";
    if (text.length > largeText) return h("textarea", { ...common, rows: 12, wrap: "off" });
    const isLong = text.length > 60 || text.includes("\n")
      || /^(notes?|text|body|description|content|comment)s?$/i.test(this.name);
    return isLong
      ? h("textarea", { ...common, rows: Math.min(12, Math.max(3, Math.ceil(text.length / 60))), dir: "auto",
        spellcheck: "true" })
      : h("input", { ...common, dir: "auto", spellcheck: "true" });
  }

  get #isDate() {
    return typeof this.#original !== "string" || /^\d{4}-\d\d-\d\d$/.test(this.#original);
  }

  /** Shows a value as what is there. */
  show(value) {
    if (!this.input) {
      this.#original = value;
      this.shown.replaceChildren(valueElement(value, 2_000));
      return;
    }
    this.#beforeNull = null;
    this.#mode = value === undefined ? "absent" : value === null ? "null" : "value";
    this.input.value = this.#mode === "value" ? this.#written(value) : "";
    this.#showMode();
  }

  /** Puts a value in that counts as an edit. */
  set(value) {
    this.show(value);
    this.#edited();
  }

  #written(value) {
    const isJSON = this.kind === "object" || (typeof value === "object" && !(value instanceof ExactNumber));
    return isJSON ? write(value, 2) : plain(value);
  }

  #typed() {
    this.#mode = this.input.value === "" && this.kind !== "string" ? "absent" : "value";
    if (this.input.value === "" && this.#isNew) this.#mode = "absent";
    this.#edited();
  }

  #press(event) {
    // Where a keyboard writes another letter with Alt, that letter is meant.
    if (!event.altKey || event.ctrlKey || event.metaKey || event.key !== "n") return;
    event.preventDefault();
    this.#toggleNull();
  }

  #toggleNull() {
    if (this.#mode === "null") {
      const isText = this.kind === "string" && !this.#isNew;
      [this.#mode, this.input.value] = this.#beforeNull ?? [isText ? "value" : "absent", ""];
    } else {
      this.#beforeNull = [this.#mode, this.input.value];
      [this.#mode, this.input.value] = ["null", ""];
    }
    this.#edited();
  }

  #edited() {
    this.#showMode();
    this.#onedit();
  }

  #showMode() {
    this.nullButton.setAttribute("aria-pressed", String(this.#mode === "null"));
    const words = { null: "null", absent: "not set", value: "" }[this.#mode];
    if (this.input.tagName === "SELECT") this.input.options[0].textContent = words || "not set";
    else this.input.placeholder = words;
    let isEdited = true;
    let error = null;
    try {
      isEdited = !same(this.read(), this.#original);
    } catch (thrown) {
      error = thrown.message;
    }
    this.isEdited = isEdited;
    this.element.classList.toggle("edited", isEdited);
    this.say(error);
    this.#showReference();
  }

  #showReference() {
    const reference = [...this.#entity.references, ...this.#entity.parents].find(({ field }) => field === this.name);
    const value = reference && this.#mode === "value" ? this.input.value : "";
    this.reference.hidden = !value;
    if (!value) return;
    this.reference.href = link(["objects", reference.entity, value]);
    this.reference.textContent = `${reference.entity}/${visible(value)}`;
  }

  /**
   * The value as it is written; undefined for none.
   * @throws {FieldError}
   */
  read() {
    if (!this.input) return this.#original;
    if (this.#mode === "absent") return undefined;
    if (this.#mode === "null") return null;
    const text = this.input.value;
    // A browser writes line ends as \n; a value that is otherwise the same is the same.
    if (typeof this.#original === "string" && text === this.#original.replace(/\r\n?/g, "\n")) return this.#original;
    if (this.kind === "boolean") return text === "true";
    if (this.kind === "object") return this.#json(text);
    const type = this.#entity.types[this.name];
    const isNumber = this.kind === "number" || (numberTypes.includes(type) && text !== "");
    if (isNumber) return this.#number(text.trim(), type);
    return text;
  }

  /** Whether this is what is written. */
  holds(value) {
    try {
      return same(this.read(), value);
    } catch {
      return false;
    }
  }

  #json(text) {
    try {
      return parse(text);
    } catch (error) {
      throw new FieldError(`This is no JSON yet: ${error.message}`);
    }
  }

  #number(text, type) {
    const number = numberFrom(text);
    if (number === undefined) throw new FieldError("Write a number, such as 12 or 3.5.");
    if (type === "integer" && !/^-?\d+$/.test(text)) throw new FieldError("Write a whole number.");
    return this.kind === "string" ? text : number;
  }

  /** What is there now is this; an edit of the person stays. */
  renew(value) {
    if (same(value, this.#original)) return;
    const wasEdited = Boolean(this.input) && this.isEdited;
    this.#original = value;
    if (!wasEdited) return this.show(value);
    this.note.hidden = false;
    const present = value === undefined ? "not set" : cut(visible(plain(value)), 200);
    fill(this.note, "It is now ", h("bdi", {}, typeof value === "string" ? `“${present}”` : present),
      " here; your edit is kept until you save or drop it.");
    this.#showMode();
    return undefined;
  }

  /** Back to what is there. */
  drop() {
    this.note.hidden = true;
    this.show(this.#original);
  }

  /** Says what is wrong with the value; null for nothing. */
  say(text) {
    if (!this.message) return;
    this.message.hidden = !text;
    this.message.textContent = text ? visible(text) : "";
    if (text) this.input?.setAttribute("aria-invalid", "true");
    else this.input?.removeAttribute("aria-invalid");
  }
}

/** The link to an object. */
export function objectLink(uri, ...children) {
  return h("a.uri", { href: link(["objects", ...divided(uri)]) }, children.length ? children : h("bdi", {}, visible(uri)));
}
