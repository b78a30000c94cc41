// The console's built files: each as it was compressed when it was built. They lie beside the code, in
// a clone and in the published package alike.

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "..", "..", "..", "console", "dist");

/** What a browser may ask for: no folders, and no way out of this one. */
const NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export interface Built {
  type: string;
  body: Buffer;
  /** Null where it is as it is. */
  encoding: "br" | "gzip" | null;
}

const kept = new Map<string, Promise<Built | null>>();

/** A file below assets/; its name changes whenever its content does, so it is read once. */
export async function builtAsset(name: string, accepted: string): Promise<Built | null> {
  const type = types[path.extname(name)];
  if (!type || !NAME.test(name)) return null;
  const encoding = encodingOf(accepted);
  const id = `${name} ${encoding}`;
  const known = kept.get(id);
  if (known) return known;
  const read = readBuilt(path.join(FOLDER, "assets", name), type, encoding);
  kept.set(id, read);
  const found = await read;
  if (!found) kept.delete(id);
  return found;
}

export interface Page {
  html: string;
  etag: string;
}

let page: (Page & { writtenAt: number }) | null = null;

/** The page that loads all the others; null where the console is not built. */
export async function builtPage(): Promise<Page | null> {
  const file = path.join(FOLDER, "index.html");
  try {
    const { mtimeMs: writtenAt } = await stat(file);
    if (page?.writtenAt === writtenAt) return page;
    const html = await readFile(file, "utf8");
    const etag = `"${createHash("sha256").update(html).digest("hex").slice(0, 20)}"`;
    page = { html, etag, writtenAt };
    return page;
  } catch {
    return null;
  }
}

function encodingOf(accepted: string): Built["encoding"] {
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : null;
}

async function readBuilt(
  file: string,
  type: string,
  encoding: Built["encoding"],
): Promise<Built | null> {
  if (encoding) {
    const ending = { br: ".br", gzip: ".gz" }[encoding];
    const body = await readFile(file + ending).catch(() => null);
    if (body) return { type, body, encoding };
  }
  const body = await readFile(file).catch(() => null);
  return body && { type, body, encoding: null };
}
