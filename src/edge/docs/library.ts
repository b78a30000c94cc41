// All pages: README.md, whose tables order them, and docs/*.md.

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { lexer, type Token, type Tokens } from "marked";
import { ROOT } from "./links.ts";
import { textOf } from "./plain-text.ts";
import { type RenderedPage, renderPage } from "./render-page.ts";

export interface DocsPage extends RenderedPage {
  /** The last part of its address; empty for the first page. */
  name: string;
  /** What a reader does with it, as README.md says. */
  summary: string;
}

export interface PageGroup {
  title: string;
  pages: DocsPage[];
}

export interface DocsLibrary {
  pages: ReadonlyMap<string, DocsPage>;
  groups: PageGroup[];
  /** The first paragraph of README.md. */
  summary: string;
}

export async function readLibrary(): Promise<DocsLibrary> {
  const readme = await readPage("", "README.md");
  const listed = listedPages(readme.markdown);
  const names = readdirSync(path.join(ROOT, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length));
  const read = await Promise.all(names.map((name) => readPage(name, `docs/${name}.md`)));
  const pages = new Map([readme, ...read].map(({ page }) => [page.name, page]));
  const groups = new Map<string, DocsPage[]>();
  for (const { group, name, summary } of [...listed, ...unlistedPages(names, listed)]) {
    const page = pages.get(name);
    if (!page) continue;
    page.summary = summary;
    groups.set(group, [...(groups.get(group) ?? []), page]);
  }
  return {
    pages,
    groups: [...groups].map(([title, pages]) => ({ title, pages })),
    summary: firstParagraph(readme.markdown),
  };
}

async function readPage(name: string, source: string) {
  const markdown = await readFile(path.join(ROOT, source), "utf8");
  const page: DocsPage = { name, summary: "", ...renderPage(source, markdown) };
  return { page, markdown };
}

interface ListedPage {
  group: string;
  name: string;
  summary: string;
}

/** The rows of README.md's tables `| task | page |`, below the heading of each. A page is in the first that lists it. */
function listedPages(readme: string): ListedPage[] {
  const listed = new Map<string, ListedPage>();
  let group = "";
  for (const token of lexer(readme)) {
    if (token.type === "heading") group = textOf([token]);
    if (token.type !== "table") continue;
    for (const [task, page] of (token as Tokens.Table).rows) {
      const name = page && pageName(page.tokens);
      if (!task || !name || listed.has(name)) continue;
      listed.set(name, { group, name, summary: textOf(task.tokens) });
    }
  }
  return [...listed.values()];
}

function pageName(tokens: readonly Token[]): string | undefined {
  const link = tokens.find(({ type }) => type === "link") as Tokens.Link | undefined;
  return /^docs\/([a-z0-9-]+)\.md/.exec(link?.href ?? "")?.[1];
}

function unlistedPages(names: readonly string[], listed: readonly ListedPage[]): ListedPage[] {
  const listedNames = new Set(listed.map(({ name }) => name));
  return names
    .filter((name) => !listedNames.has(name))
    .map((name) => ({ group: "Reference", name, summary: "" }));
}

function firstParagraph(markdown: string): string {
  const paragraph = lexer(markdown).find(({ type }) => type === "paragraph");
  return paragraph ? textOf([paragraph]).replace(/\s+/g, " ") : "";
}
