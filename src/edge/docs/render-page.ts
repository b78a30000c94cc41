// One page: Markdown into HTML with anchors, its table of contents, and the sections that the search finds.

import GithubSlugger from "github-slugger";
import { Marked, type RendererObject, type Token, type Tokens } from "marked";
import { escapeHtml } from "./escape-html.ts";
import { resolveLink } from "./links.ts";
import { textOf } from "./plain-text.ts";

export interface Heading {
  depth: number;
  text: string;
  anchor: string;
}

export interface Section {
  heading: string;
  /** Empty for the part above the first heading. */
  anchor: string;
  text: string;
}

export interface RenderedPage {
  title: string;
  html: string;
  headings: Heading[];
  sections: Section[];
}

/** `source` is the path of the file, such as docs/pods.md. */
export function renderPage(source: string, markdown: string): RenderedPage {
  const slugger = new GithubSlugger();
  const anchors = new Map<Token, string>();
  const marked = new Marked({ gfm: true, renderer: renderer(source, anchors) });
  const tokens = marked.lexer(markdown);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === "heading");
  for (const heading of headings) anchors.set(heading, slugger.slug(textOf(heading.tokens)));
  const title = headings.find(({ depth }) => depth === 1);
  return {
    title: title ? textOf(title.tokens) : source,
    html: marked.parser(tokens),
    headings: headings.map((heading) => ({
      depth: heading.depth,
      text: textOf(heading.tokens),
      anchor: anchors.get(heading)!,
    })),
    sections: sectionsOf(tokens, anchors),
  };
}

function sectionsOf(tokens: readonly Token[], anchors: ReadonlyMap<Token, string>): Section[] {
  const sections: Section[] = [{ heading: "", anchor: "", text: "" }];
  for (const token of tokens) {
    const anchor = anchors.get(token);
    const last = sections.at(-1)!;
    if (anchor === undefined) last.text += ` ${textOf([token])}`;
    else if ((token as Tokens.Heading).depth > 1)
      sections.push({ heading: textOf([token]), anchor, text: "" });
  }
  return sections.map((section) => ({
    ...section,
    text: section.text.replace(/\s+/g, " ").trim(),
  }));
}

/** Wide tables and code scroll by keyboard too. HTML in a page is shown as text. */
function renderer(source: string, anchors: ReadonlyMap<Token, string>): RendererObject {
  return {
    heading(token) {
      const anchor = anchors.get(token) ?? "";
      const { depth } = token;
      const text = this.parser.parseInline(token.tokens);
      if (depth === 1) return `<h1 id="${anchor}">${text}</h1>\n`;
      const label = escapeHtml(`Link to ${textOf(token.tokens)}`);
      const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
      return `<h${depth} id="${anchor}">${text} ${link}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = resolveLink(source, href);
      return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
    },
    image({ href, text }) {
      const target = resolveLink(source, href);
      const alt = escapeHtml(text);
      return target === null
        ? alt
        : `<img src="${escapeHtml(target)}" alt="${alt}" loading="lazy">`;
    },
    html: ({ text }) => escapeHtml(text),
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table(token) {
      const row = (cells: Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
      const head = row(token.header, "th");
      const body = token.rows.map((cells) => row(cells, "td")).join("\n");
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  };
}
