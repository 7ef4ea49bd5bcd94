// The search. Its index comes as a script when somebody looks for something, for a page from a folder may fetch nothing.
"use strict";
(() => {
  const root = document.currentScript.dataset.root;
  const form = document.querySelector("form.search");
  const input = form.querySelector("input");
  const results = document.querySelector(".results");
  let entries = null;
  let loading = null;

  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = root + "search.js";
      script.onload = () => {
        entries = window.atmosphereSearch.map(([title, kind, url, text, rank]) => ({
          title, kind, url, text, rank,
          name: title.toLowerCase(),
          all: (title + " " + kind + " " + text).toLowerCase(),
        }));
        resolve();
      };
      script.onerror = reject;
      document.head.append(script);
    }));

  // How well an entry fits, or null where a word is missing: by its name before its text, and guides and types before members and rows.
  const score = (entry, query, words) => {
    let sum = 0;
    for (const word of words) {
      const at = entry.name.indexOf(word);
      const isWhole = at >= 0 && !/\w/.test(entry.name[at - 1] ?? "") && !/\w/.test(entry.name[at + word.length] ?? "");
      if (isWhole) sum += 60;
      else if (at === 0) sum += 40;
      else if (at > 0) sum += /\w/.test(entry.name[at - 1]) ? 12 : 30;
      else {
        const times = entry.all.split(word, 7).length - 1;
        if (!times) return null;
        sum += 3 + times;
      }
    }
    if (entry.name === query) sum += 100;
    else if (entry.name.startsWith(query)) sum += 10;
    else if (words.length > 1 && entry.all.includes(query)) sum += 20;
    return sum - 3 * entry.rank - Math.min(entry.name.length, 80) / 20;
  };

  const find = (text) => {
    const query = text.trim().toLowerCase();
    const words = query.split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    return entries
      .map((entry) => ({ entry, points: score(entry, query, words) }))
      .filter((each) => each.points !== null)
      .sort((a, b) => b.points - a.points)
      .slice(0, 40)
      .map((each) => ({ ...each.entry, words }));
  };

  // Text goes in as text, so that nothing in it is markup.
  const marked = (element, text, words) => {
    const lower = text.toLowerCase();
    let at = 0;
    while (at < text.length) {
      let next = -1;
      let length = 0;
      for (const word of words) {
        const place = lower.indexOf(word, at);
        if (place >= 0 && (next < 0 || place < next)) [next, length] = [place, word.length];
      }
      if (next < 0) break;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next, next + length);
      element.append(text.slice(at, next), mark);
      at = next + length;
    }
    element.append(text.slice(at));
    return element;
  };

  const excerpt = (text, words) => {
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const from = Math.max(0, (places.length ? Math.min(...places) : 0) - 60);
    return (from ? "…" : "") + text.slice(from, from + 200) + (from + 200 < text.length ? "…" : "");
  };

  const show = async () => {
    const text = input.value;
    if (!text.trim()) {
      results.hidden = true;
      return;
    }
    await load();
    if (input.value !== text) return;
    const found = find(text);
    results.replaceChildren();
    const list = document.createElement("ol");
    for (const each of found) {
      const link = document.createElement("a");
      link.href = root + each.url;
      const title = marked(document.createElement("strong"), each.title, each.words);
      const kind = document.createElement("span");
      kind.textContent = each.kind;
      link.append(title, kind);
      if (each.text) link.append(marked(document.createElement("p"), excerpt(each.text, each.words), each.words));
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
    if (found.length) results.append(list);
    else results.append(Object.assign(document.createElement("p"), { textContent: `Nothing has “${text.trim()}”.` }));
    results.hidden = false;
    results.scrollTop = 0;
  };

  const close = () => {
    results.hidden = true;
    input.blur();
  };

  const move = (step) => {
    const links = [...results.querySelectorAll("a")];
    if (!links.length) return;
    const at = links.indexOf(document.activeElement) + step;
    if (at < 0) input.focus();
    else links[Math.min(at, links.length - 1)].focus();
  };

  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === "Escape" && !results.hidden) close();
    else if (!results.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });
  document.addEventListener("click", (event) => {
    if (!results.hidden && !event.target.closest(".search")) results.hidden = true;
  });

  // index.html#q=words shows what is found.
  const asked = () => {
    const match = location.hash.match(/^#q=(.*)$/);
    if (!match) return;
    input.value = decodeURIComponent(match[1].replace(/\+/g, " "));
    show();
  };
  window.addEventListener("hashchange", asked);
  form.hidden = false;
  asked();

  // What is read now is in sight in the menu.
  const here = document.querySelector("nav [aria-current=page]");
  const menu = document.getElementById("menu");
  if (here && menu.scrollHeight > menu.clientHeight) menu.scrollTop = here.offsetTop - menu.clientHeight / 3;
})();
