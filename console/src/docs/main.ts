// What the pages of the documentation do in a browser: the theme, and the search. The service writes the pages.

import { applyTheme } from "../apply-theme.ts";
import { bindSearch } from "./search-box.ts";
import "./docs.css";

applyTheme();

document.addEventListener("DOMContentLoaded", () => {
  bindSearch(document.querySelector<HTMLElement>(".search")!);
  // On a phone the list of pages would push the page off the screen.
  if (window.matchMedia("(max-width: 48rem)").matches)
    document.querySelector(".pages")?.removeAttribute("open");
});
