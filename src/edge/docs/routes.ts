// The routes of the documentation: /docs and /llms.txt. They need no key.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { readOnce } from "../http/page-asset.ts";
import { OPEN_GET } from "../http/request/open-get.ts";
import { addressOf, builtAssets, layout, missingPage } from "./layout.ts";
import type { DocsLibrary } from "./library.ts";
import { FILE_TYPES, servedFile } from "./links.ts";

/** Link checkers ask with HEAD. */

const HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const HTML = "text/html; charset=utf-8";

export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // The Markdown library loads with the first request.
  const library = readOnce(async () => (await import("./library.ts")).readLibrary());
  const sendMissing = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    reply.header("vary", "accept");
    if (!request.headers.accept?.includes("text/html")) {
      throw new Fault("route_not_found", { method: "GET", path: `/docs/${name}` });
    }
    for (const [header, value] of Object.entries(HEADERS)) reply.header(header, value);
    const html = layout(await library(), missingPage(name), builtAssets());
    return reply.code(404).type(HTML).send(html);
  };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const pages = await library();
    const page = pages.pages.get(name);
    if (!page) return sendMissing(request, reply, name);
    return send(reply, HTML, layout(pages, page, builtAssets()));
  };
  app.get("/docs", OPEN_GET, (request, reply) => sendPage(request, reply, ""));
  app.get("/docs/search.json", OPEN_GET, async (_, reply) =>
    send(reply, FILE_TYPES[".json"]!, JSON.stringify(searchSections(await library()))),
  );
  app.get("/docs/*", OPEN_GET, async (request, reply) => {
    const { "*": name } = request.params as { "*": string };
    if (!name.includes(".")) return sendPage(request, reply, name);
    const file = servedFile(`docs/${name}`);
    if (!file) return sendMissing(request, reply, name);
    return send(reply, FILE_TYPES[path.extname(file)]!, await readFile(file));
  });
  app.get("/llms.txt", OPEN_GET, async (_, reply) =>
    send(reply, FILE_TYPES[".txt"]!, llmsText(await library())),
  );
}

/** Browsers ask again each time, and get the body only if it changed. */
function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
  for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value);
  reply.header("etag", etag);
  if (reply.request.headers["if-none-match"] === etag) return reply.code(304).send();
  return reply.type(type).send(body);
}

/** What the search of the pages reads. */
function searchSections({ pages }: DocsLibrary) {
  return [...pages.values()].flatMap((page) =>
    page.sections.map(({ heading, anchor, text }) => ({
      id: anchor ? `${addressOf(page)}#${anchor}` : addressOf(page),
      title: page.title,
      heading,
      text,
    })),
  );
}

/** The convention of llmstxt.org: a title, a summary, and lists of links to Markdown. */
function llmsText({ groups, summary }: DocsLibrary): string {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map(
      (page) => `- [${page.title}](/docs/${page.name}.md)${page.summary && `: ${page.summary}`}`,
    );
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  return [`# Freehold\n`, `> ${summary}\n`, ...lists].join("\n");
}
