// The console: one page at all of its addresses, and the files that it loads, all from here. It answers
// where no route is and a browser asks, so that programs are told that there is none.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { builtAsset, builtPage } from "./built.ts";

/** The first parts of its addresses. */
const SECTIONS = new Set([
  "",
  "accounts",
  "audit",
  "billing",
  "invitation",
  "jobs",
  "keys",
  "machines",
  "members",
  "pods",
  "prices",
  "registries",
  "secrets",
  "serverless",
  "settings",
  "sign-in",
  "ssh-keys",
  "storage",
  "templates",
  "workers",
]);

const ASSETS = "/assets/";

/** What browsers ask for and programs do not. */
export function isConsole({ method, url, headers }: FastifyRequest): boolean {
  if (method !== "GET") return false;
  if (url.startsWith(ASSETS)) return true;
  const wantsPage = headers.accept?.includes("text/html") === true;
  return wantsPage && SECTIONS.has(url.split(/[/?]/)[1] ?? "");
}

export function answerByConsole(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return request.url.startsWith(ASSETS) ? sendAsset(request, reply) : sendPage(request, reply);
}

async function sendAsset(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split("?")[0]!;
  const accepted = `${request.headers["accept-encoding"] ?? ""}`;
  const built = await builtAsset(path.slice(ASSETS.length), accepted);
  if (!built) throw new Fault("route_not_found", { method: "GET", path });
  if (built.encoding) reply.header("content-encoding", built.encoding);
  reply.header("vary", "accept-encoding").header("x-content-type-options", "nosniff");
  reply.header("cache-control", "public, max-age=31536000, immutable");
  return reply.code(200).type(built.type).send(built.body);
}

async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value);
  reply.type("text/html; charset=utf-8");
  const page = await builtPage();
  if (!page) return reply.code(503).header("retry-after", "3").send(NOT_BUILT);
  reply.code(200).header("etag", page.etag);
  const known = request.headers["if-none-match"] === page.etag;
  return known ? reply.code(304).send() : reply.send(page.html);
}

/** What holds the terminal and locks the page behind a dialog writes styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>Freehold</title>
<link rel="icon" href="data:,">
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1rem }</style>
</head>
<body>
<h1>The console is being built</h1>
<p>That happens at the first start of a clone and takes about a minute. This page looks again by itself.</p>
<p>Everything else works already. Should this page stay: <code>node bin/console.mjs</code> says why.</p>
</body>
</html>
`;
