// The last good answer of the URL of templates, in the data folder: a start without the network uses it.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface KeptCopy {
  url: string;
  etag: string | null;
  text: string;
}

const fileIn = (dataFolder: string) => path.join(dataFolder, "official-templates.json");

/** Null if there is none of this URL. */
export function readCopy(dataFolder: string, url: string): KeptCopy | null {
  try {
    const copy = JSON.parse(readFileSync(fileIn(dataFolder), "utf8")) as KeptCopy;
    return copy.url === url && typeof copy.text === "string" ? copy : null;
  } catch {
    return null; // there is none, or a kill left a part of it
  }
}

export function writeCopy(dataFolder: string, copy: KeptCopy): void {
  const file = fileIn(dataFolder);
  writeFileSync(`${file}.new`, JSON.stringify(copy), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
