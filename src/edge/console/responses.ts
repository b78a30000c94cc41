// The console over HTTP: one page at all addresses, and its assets. It answers browsers where no route
// matches, with the status 404 where it has no page either; programs get a fault there.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import type { WebPages } from "../http/missing-route.ts";
import { readAsset, readPage, readSections } from "./build-output.ts";

const ASSETS = "/assets/";

/**
 * Whether a request without a route is for the console: an asset, any page of a browser, or the first page for a
 * client that takes anything, such as curl. At other addresses a program with a wrong base URL needs the fault.
 */
function isConsole({ method, url, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const { accept = "*/*" } = headers;
  if (url.startsWith(ASSETS) || accept.includes("text/html")) return true;
  return accept.includes("*/*") && url.split("?")[0] === "/";
}

function sendConsole(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return request.url.startsWith(ASSETS) ? sendAsset(request, reply) : sendPage(request, reply);
}

export const consolePages: WebPages = { cover: isConsole, send: sendConsole };

async function sendAsset(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split("?")[0]!;
  const accepted = `${request.headers["accept-encoding"] ?? ""}`;
  const asset = await readAsset(path.slice(ASSETS.length), accepted);
  if (!asset) throw new Fault("route_not_found", { method: "GET", path });
  if (asset.encoding) reply.header("content-encoding", asset.encoding);
  reply.header("vary", "accept-encoding").header("x-content-type-options", "nosniff");
  reply.header("cache-control", "public, max-age=31536000, immutable");
  return reply.code(200).type(asset.type).send(asset.body);
}

async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value);
  reply.type("text/html; charset=utf-8");
  const page = await readPage();
  if (!page) return reply.code(503).header("retry-after", "3").send(NOT_BUILT);
  // The console shows its own page for an address that it does not have.
  if (!readSections().has(request.url.split(/[/?]/)[1] ?? ""))
    return reply.code(404).send(page.html);
  reply.code(200).header("etag", page.etag);
  const isCurrent = request.headers["if-none-match"] === page.etag;
  return isCurrent ? reply.code(304).send() : reply.send(page.html);
}

/** The terminal and the scroll lock behind dialogs write inline styles. */
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
<p>The first start of a clone builds the console, which takes about a minute. This page reloads automatically.</p>
<p>Everything else is ready. If this page stays, run <code>node bin/console.mjs</code> to see why.</p>
</body>
</html>
`;
