// The console's build output: its page, its assets with their compressed copies, and the list of its
// addresses. It lies beside the code, in a clone and in the bundle alike.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "..", "..", "..", "console", "dist");

/** File names that a browser may request: no folders, and nothing outside of the assets. */
const NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export interface Asset {
  type: string;
  body: Buffer;
  /** Null if the body is not compressed. */
  encoding: "br" | "gzip" | null;
}

const assets = new Map<string, Promise<Asset | null>>();

/** A file below assets/. Its name changes with its content, so each file is read once. */
export async function readAsset(name: string, acceptEncoding: string): Promise<Asset | null> {
  const type = types[path.extname(name)];
  if (!type || !NAME.test(name)) return null;
  const encoding = chooseEncoding(acceptEncoding);
  const id = `${name} ${encoding}`;
  const cached = assets.get(id);
  if (cached) return cached;
  const reading = readCompressed(path.join(FOLDER, "assets", name), type, encoding);
  assets.set(id, reading);
  const asset = await reading;
  if (!asset) assets.delete(id);
  return asset;
}

export interface BuiltPage {
  html: string;
  etag: string;
}

let page: (BuiltPage & { modifiedAt: number }) | null = null;

/** The single page of the console; null if the console is not built. */
export async function readPage(): Promise<BuiltPage | null> {
  const file = path.join(FOLDER, "index.html");
  try {
    const { mtimeMs: modifiedAt } = await stat(file);
    if (page?.modifiedAt === modifiedAt) return page;
    const html = await readFile(file, "utf8");
    const etag = `"${createHash("sha256").update(html).digest("hex").slice(0, 20)}"`;
    page = { html, etag, modifiedAt };
    return page;
  } catch {
    return null;
  }
}

let sections: { names: ReadonlySet<string>; modifiedAt: number } | null = null;

/** The home page alone, until the first build lists the others. */
const HOME: ReadonlySet<string> = new Set([""]);

/** The first segments of the console's addresses. */
export function readSections(): ReadonlySet<string> {
  const file = path.join(FOLDER, "routes.json");
  try {
    const { mtimeMs: modifiedAt } = statSync(file);
    if (sections?.modifiedAt !== modifiedAt) {
      const routes = JSON.parse(readFileSync(file, "utf8")) as string[];
      sections = { names: new Set(routes.map((route) => route.split("/")[1] ?? "")), modifiedAt };
    }
    return sections.names;
  } catch {
    return HOME;
  }
}

function chooseEncoding(acceptEncoding: string): Asset["encoding"] {
  if (/\bbr\b/.test(acceptEncoding)) return "br";
  return /\bgzip\b/.test(acceptEncoding) ? "gzip" : null;
}

async function readCompressed(
  file: string,
  type: string,
  encoding: Asset["encoding"],
): Promise<Asset | null> {
  if (encoding) {
    const extension = { br: ".br", gzip: ".gz" }[encoding];
    const body = await readFile(file + extension).catch(() => null);
    if (body) return { type, body, encoding };
  }
  const body = await readFile(file).catch(() => null);
  return body && { type, body, encoding: null };
}
