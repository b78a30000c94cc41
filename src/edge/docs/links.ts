// Where the links of a page lead: other pages and files that the service has, the service's own addresses, and the web.

import { existsSync } from "node:fs";
import path from "node:path";

/** The folder that holds README.md and docs/: the clone, or the bundle. */
export const ROOT = path.join(import.meta.dirname, "..", "..", "..");

/** The content type of each kind of file below docs/ that is served as it is. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** A file directly below docs/, or in one folder there. */
const FILE = /^docs\/(?:[a-z0-9-]+\/)?[a-z0-9-]+\.(?:json|md|png|txt)$/;

const API_DOCUMENTS: Readonly<Record<string, string>> = {
  "docs/openapi.json": "/v1/openapi.json",
  "docs/openapi-v2.json": "/v2/openapi.json",
};

/** The usual address in the pages' examples; a reader is at the service's real one. */
const USUAL_ORIGIN = "http://127.0.0.1:8700/";

/** The path of a file that may be served, or null. */
export function servedFile(name: string): string | null {
  const file = path.join(ROOT, name);
  return FILE.test(name) && existsSync(file) ? file : null;
}

/**
 * The address behind a link of `source`, a path such as docs/pods.md. Null for a file that is not served, such as the
 * code: the link's text is shown alone.
 */
export function resolveLink(source: string, href: string): string | null {
  if (href.startsWith(USUAL_ORIGIN)) return href.slice(USUAL_ORIGIN.length - 1);
  if (/^(?:https?:|mailto:|#|\/)/.test(href)) return href;
  const [relative = "", anchor] = href.split("#");
  const target = path.posix.join(path.posix.dirname(source), relative);
  const address = API_DOCUMENTS[target] ?? addressOf(target);
  return address && (anchor ? `${address}#${anchor}` : address);
}

function addressOf(target: string): string | null {
  if (target === "README.md") return "/docs";
  if (!servedFile(target)) return null;
  const isPage = /^docs\/[a-z0-9-]+\.md$/.test(target);
  return `/${isPage ? target.replace(/\.md$/, "") : target}`;
}
