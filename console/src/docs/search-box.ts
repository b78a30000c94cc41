// The search field of the documentation: a combobox, whose list of results the arrow keys walk.

import { loadIndex, type SearchHit, search } from "./search-index.ts";

export function bindSearch(box: HTMLElement): void {
  const input = box.querySelector("input")!;
  const list = box.querySelector("ul")!;
  box.hidden = false;
  let hits: SearchHit[] = [];
  let selected = 0;
  const show = (items: HTMLElement[]) => {
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", `${!list.hidden}`);
  };
  const select = (index: number) => {
    selected = index;
    for (const [position, item] of [...list.children].entries()) {
      item.setAttribute("aria-selected", `${position === index}`);
      if (position === index) item.scrollIntoView({ block: "nearest" });
    }
    const isOption = hits.length > 0;
    if (isOption) input.setAttribute("aria-activedescendant", `result-${index}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    hits = [];
    show([]);
    select(0);
  };
  const open = (hit: SearchHit | undefined) => {
    if (!hit) return;
    close();
    input.blur();
    window.location.assign(hit.address);
  };
  const update = async () => {
    const query = input.value.trim();
    if (!query) return close();
    try {
      const results = await search(query);
      if (query !== input.value.trim()) return;
      hits = results;
      show(hits.length > 0 ? hits.map(option) : [message("No section matches.")]);
    } catch {
      hits = [];
      show([message("The service does not answer. Type again to retry.")]);
    }
    select(0);
  };
  input.addEventListener("focus", () => void loadIndex().catch(() => {})); // update() reports it
  input.addEventListener("input", () => void update());
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      select((selected + step + hits.length) % hits.length);
    } else if (event.key === "Enter") open(hits[selected]);
    else if (event.key === "Escape") close();
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault(); // the field keeps the focus
    const item = (event.target as Element).closest("li");
    open(hits[[...list.children].indexOf(item!)]);
  });
  input.addEventListener("blur", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === input) return;
    event.preventDefault();
    input.focus();
  });
}

function option({ name, excerpt }: SearchHit, index: number): HTMLElement {
  const item = document.createElement("li");
  const title = document.createElement("b");
  const text = document.createElement("span");
  item.id = `result-${index}`;
  item.role = "option";
  title.textContent = name;
  text.textContent = excerpt;
  item.append(title, text);
  return item;
}

function message(text: string): HTMLElement {
  const item = document.createElement("li");
  item.role = "option";
  item.ariaDisabled = "true";
  item.textContent = text;
  return item;
}
