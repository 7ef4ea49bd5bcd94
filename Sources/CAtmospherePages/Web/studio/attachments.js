import { fill, h, unique } from "./dom.js";
import { ask, objectPath } from "./gateway.js";
import { icon } from "./icons.js";
import { problemElement } from "./messages.js";
import { size, visible } from "./text.js";

/** Pictures that are larger are not shown without being asked for. */
const mostPreview = 32 << 20;

/** The contents that the members of an object stand for. */
export class Attachments {
  #studio;
  #entity;
  #uri = "";
  #uploads = [];

  constructor(studio, entity) {
    this.#studio = studio;
    this.#entity = entity;
    this.element = h("div.attachments", { hidden: !entity.attachments.length });
  }

  /** Shows how things stand. @param {any} state what `…/state` says */
  show(state) {
    const isSame = state.uri === this.#uri && JSON.stringify(state.uploads) === JSON.stringify(this.#uploads);
    [this.#uri, this.#uploads, this.record] = [state.uri, state.uploads, state.record ?? {}];
    if (isSame) return;
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const index = [...this.element.children].findIndex((card) => card.contains(focused));
    fill(this.element, this.#entity.attachments.map((attachment) => this.#attachment(attachment)));
    if (focused) focusWithin(this.element.children[index], focused.dataset.control);
  }

  #attachment({ name, upload, download }) {
    const isAny = name === "*";
    const chosen = isAny ? h("input", { "aria-label": "Member", placeholder: "member", autocomplete: "off" }) : null;
    const member = () => (isAny ? chosen.value : name);
    const place = h("div.place");
    const picture = h("div.picture");
    const waiting = this.#uploads.filter((each) => isAny || each.field === name);
    const id = unique("file");
    const canAttach = upload && !this.#studio.isReadOnly;
    const file = h("input.file", { id, type: "file", "data-control": "attach", onchange: () => this.#attach(member(), file, place) });
    const card = h("section.attachment", { "aria-label": `Content of ${name}` },
      h("div.field-head", {}, h("span.field-label", {}, isAny ? "Other contents" : visible(name)), h("span.type", {}, "content")),
      chosen, waiting.map((each) => this.#waiting(each, place)), picture,
      h("div.row", {},
        canAttach && [file, h("label.button.small", { for: id }, icon("file"), "Attach a file")],
        download && h("button.button.small", {
          type: "button", "data-control": "show", onclick: () => this.#preview(member(), picture, place),
        }, "Show"),
        download && h("a.button.small", {
          href: objectPath(this.#uri, "contents", name), download: `${this.#uri.replaceAll("/", "-")}-${name}`, hidden: isAny,
          "data-control": "download",
        }, icon("down"), "Download")),
      place);
    if (waiting.some((each) => each.type.startsWith("image/") && each.bytes < mostPreview)) this.#preview(name, picture, place);
    return card;
  }

  #waiting(upload, place) {
    return h("div.upload", {}, icon("up"), h("div", {}, h("bdi", {}, visible(upload.file)), ` (${size(upload.bytes)}) `,
      h("span.quiet-words", {}, upload.state === "waiting" || !upload.state ? "goes with the next push" : upload.state),
      upload.message && h("p.words", {}, visible(upload.message))),
    h("span.gap"), !this.#studio.isReadOnly && h("button.plain", {
      type: "button", "aria-label": `Drop ${upload.file}`, onclick: () => this.#drop(upload.field, place),
    }, icon("close")));
  }

  async #attach(member, input, place) {
    const [file] = input.files;
    if (!file) return;
    fill(place, h("p.quiet-words", { role: "status" }, `Attaching ${visible(file.name)}…`));
    await this.#try(place, async () => {
      const path = `${objectPath(this.#uri, "contents", member)}?name=${encodeURIComponent(file.name)}`;
      await ask("PUT", path, { content: file, headers: { "Content-Type": file.type || "application/octet-stream" } });
      this.#studio.say(`${file.name} is kept here; the next push uploads it.`);
    });
    input.value = "";
  }

  #drop(member, place) {
    return this.#try(place, () => ask("DELETE", objectPath(this.#uri, "contents", member)));
  }

  #preview(member, picture, place) {
    return this.#try(place, async () => {
      fill(picture, await pictureElement(objectPath(this.#uri, "contents", member), `${member} of ${this.#uri}`));
    });
  }

  async #try(place, work) {
    fill(place);
    try {
      await work();
    } catch (problem) {
      fill(place, problemElement(problem));
    }
  }
}

/** The control that had the focus has it again; where it is gone, the first one beside it. */
function focusWithin(card, control) {
  const controls = [...card.querySelectorAll("[data-control]")];
  (controls.find((each) => each.dataset.control === control) ?? controls[0])?.focus();
}

/**
 * The picture that a path gives, or words where it is none.
 * @param {string} path
 * @param {string} label
 * @throws {Problem}
 */
export async function pictureElement(path, label) {
  const answer = await fetch(path, { credentials: "same-origin", cache: "no-store" });
  if (!answer.ok) await ask("GET", path);
  const type = answer.headers.get("Content-Type") ?? "";
  const length = Number(answer.headers.get("Content-Length") ?? 0);
  if (length > mostPreview) {
    await answer.body?.cancel();
    return h("p.quiet-words", {}, `${size(length)} of ${visible(type)}; download it to see it.`);
  }
  const content = await answer.blob();
  if (!type.startsWith("image/")) return h("p.quiet-words", {}, `${size(content.size)} of ${visible(type || "no known type")}`);
  const address = URL.createObjectURL(content);
  const free = () => URL.revokeObjectURL(address);
  return h("img.preview", { src: address, alt: label, onload: free, onerror: free });
}
