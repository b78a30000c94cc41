// Writes a cassette, one whole line at a time, so that a recording that is killed leaves every finished call.

import { closeSync, openSync, writeSync } from "node:fs";
import { Refusal } from "../../base/refusal.ts";
import { CASSETTE_VERSION, type RecordedCall } from "./cassette.ts";

export interface CassetteWriter {
  add(call: RecordedCall): void;
  close(): void;
}

/** `force` replaces a file that exists. */
export function openCassette(file: string, force: boolean): CassetteWriter {
  const descriptor = opened(file, force);
  const write = (line: unknown) => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  };
  write({ cassette: "freehold", version: CASSETTE_VERSION });
  return { add: write, close: () => closeSync(descriptor) };
}

/** Only its owner may read it: bodies may hold what no rule recognizes as a secret. */
function opened(file: string, force: boolean): number {
  try {
    return openSync(file, force ? "w" : "wx", 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new Refusal(`${file} exists; name another file, or replace it with --force`);
    throw new Refusal(`${file} cannot be written: ${message}`);
  }
}
