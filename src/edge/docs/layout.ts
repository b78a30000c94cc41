// The HTML around a page: navigation, search, table of contents. It reads without scripts and styles too.

import { readFileSync } from "node:fs";
import path from "node:path";
import { escapeHtml } from "./escape-html.ts";
import type { DocsLibrary, DocsPage, PageGroup } from "./library.ts";
import { ROOT } from "./links.ts";

/** What the console's build wrote for these pages. Before the first build there is nothing. */
export function builtAssets(): string {
  try {
    const file = path.join(ROOT, "console", "dist", "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<
      string,
      { file: string; css?: string[] }
    >;
    const entry = manifest["src/docs/main.ts"]!;
    const styles = (entry.css ?? []).map((css) => `<link rel="stylesheet" href="/${css}">`);
    // Rendering waits for the theme.
    return [
      ...styles,
      `<script type="module" blocking="render" src="/${entry.file}"></script>`,
    ].join("\n");
  } catch {
    return "";
  }
}

export const addressOf = ({ name }: Pick<DocsPage, "name">) => (name ? `/docs/${name}` : "/docs");

/** What a browser shows at an address without a page. */
export function missingPage(name: string): DocsPage {
  const html = `<h1 id="page-not-found">Page not found</h1>
<p>There is no page at <code>/docs/${escapeHtml(name)}</code>. The <a href="/docs">index</a> lists all pages.</p>`;
  return { name, title: "Page not found", summary: "", html, headings: [], sections: [] };
}

/** `assets` are the tags of the build output. */
export function layout(library: DocsLibrary, page: DocsPage, assets: string): string {
  const title = page.name ? `${escapeHtml(page.title)} · Freehold docs` : "Freehold docs";
  const markdown =
    library.pages.has(page.name) && page.name
      ? `<p class="source"><a href="/docs/${page.name}.md">Markdown</a></p>`
      : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${assets}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs">Freehold docs</a>
<div class="search" hidden>
<input type="search" role="combobox" aria-label="Search the docs" placeholder="Search" autocomplete="off" aria-expanded="false" aria-controls="results">
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</div>
<nav aria-label="Service"><a href="/v1/docs">API reference</a> <a href="/">Console</a></nav>
</header>
<div class="columns">
<details class="pages" open><summary>Pages</summary>
<nav aria-label="Pages">
${library.groups.map((group) => groupList(group, page)).join("\n")}
</nav>
</details>
<main id="content">
${page.html}
${markdown}
</main>
${contents(page)}
</div>
</body>
</html>
`;
}

function groupList({ title, pages }: PageGroup, current: DocsPage): string {
  const items = pages.map((page) => {
    const mark = page === current ? ' aria-current="page"' : "";
    return `<li><a href="${addressOf(page)}"${mark}>${escapeHtml(page.title)}</a></li>`;
  });
  return `<p>${escapeHtml(title)}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function contents({ headings }: DocsPage): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ depth, text, anchor }) =>
      `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${items.join("\n")}\n</ul>\n</nav>`;
}
