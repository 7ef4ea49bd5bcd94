const paths = {
  add: "M12 5v14M5 12h14",
  alert: "M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.1",
  back: "M14.5 5.5 8 12l6.5 6.5",
  check: "M4.5 12.5l5 5 10-11",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  close: "M6 6l12 12M18 6 6 18",
  conflict: "M7 4v16M17 4v16M7 8h4M13 16h4",
  doubt: "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M12 17.4v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  down: "M12 4.5v13M6.5 12l5.5 5.5 5.5-5.5M5 20.5h14",
  file: "M7 3.5h7l4 4v13H7zM13.5 3.5v4.5H18",
  filter: "M4 6h16M7 12h10M10 18h4",
  keys: "M3 7h18v10H3zM7 10.5v.1M11 10.5v.1M15 10.5v.1M17.5 10.5v.1M8 14h8",
  lock: "M6.5 11h11v8.5h-11zM9 11V8a3 3 0 0 1 6 0v3",
  menu: "M4 7h16M4 12h16M4 17h16",
  refuse: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM6.2 6.2l11.6 11.6",
  search: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  settings: "M4 8h9M17 8h3M4 16h3M11 16h9M13 5.5h4v5h-4zM7 13.5h4v5H7z",
  sync: "M19.5 9A8 8 0 0 0 5 8.2M4.5 4.5v4h4M4.5 15a8 8 0 0 0 14.5.8M19.5 19.5v-4h-4",
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7",
  up: "M12 19.5v-13M6.5 12 12 6.5l5.5 5.5M5 3.5h14",
};
const space = "http://www.w3.org/2000/svg";

/**
 * A small picture that says nothing to a screen reader.
 * @param {keyof paths} name
 */
export function icon(name) {
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", "icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  picture.append(path);
  return picture;
}

/** The picture of the product. */
export function mark() {
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 32 32");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", "mark");
  for (const [kind, d] of [["sky", "M2.5 15.5a14.2 14.2 0 0 1 27 0"], ["air", "M6.5 21a9.6 9.6 0 0 1 19 0"],
    ["world", "M11 22a5 5 0 1 0 10 0a5 5 0 1 0-10 0"]]) {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", d);
    path.setAttribute("class", kind);
    picture.append(path);
  }
  return picture;
}
