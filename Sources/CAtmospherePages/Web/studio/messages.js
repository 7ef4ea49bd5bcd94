import { h, unique } from "./dom.js";
import { icon } from "./icons.js";
import { visible } from "./text.js";

/**
 * What the gateway said, in full, where it was asked.
 * @param {import("./gateway.js").Problem | Error} problem
 * @param {{again?: () => void}} [actions]
 */
export function problemElement(problem, { again } = {}) {
  const title = problem.status ? `${problem.title || "Not done"} (${problem.status})` : problem.title || "Not done";
  return h("div.problem", { role: "alert" }, icon("alert"), h("div", {},
    h("strong", {}, visible(title)),
    h("p.words", {}, visible(problem.message)),
    problem.fields?.length > 0 && fieldMessages(problem.fields),
    again && h("button.button.small", { type: "button", onclick: again }, "Try again")));
}

/** What was said of single members. @param {{field: string, message: string}[]} fields */
export function fieldMessages(fields) {
  return h("ul.field-messages", {}, fields.map(({ field, message }) =>
    h("li", {}, h("b", {}, h("bdi", {}, visible(field))), ": ", h("bdi", {}, visible(message)))));
}

/** A place with nothing to show. */
export function emptyElement(title, text) {
  return h("div.nothing-here", {}, h("p.title", {}, title), h("p", {}, text));
}

/**
 * Asks before something is done that cannot simply be taken back.
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, text, yes, no = "Cancel", isGrave = false }) {
  return new Promise((resolve) => {
    const id = unique("dialog");
    const dialog = h("dialog.dialog", { "aria-labelledby": id, onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    } },
    h("h2", { id }, title), h("p", {}, text),
    h("div.row.end", {},
      h("button.button", { type: "button", onclick: () => dialog.close("no") }, no),
      h(isGrave ? "button.button.grave" : "button.button.primary", { type: "button", onclick: () => dialog.close("yes") }, yes)));
    document.body.append(dialog);
    dialog.showModal();
  });
}
