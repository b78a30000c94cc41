// The file that remembers that requests came through a reverse proxy, so that the service does not trust
// callers on loopback again after a restart.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Logger } from "../base/log.ts";

const NOTE =
  "A request came through a reverse proxy. Requests from loopback are therefore not taken for this\n" +
  "machine's operator. Delete this file and restart if no other machine reaches the service.\n";

const fileIn = (dataFolder: string) => path.join(dataFolder, "behind-proxy");

export function isBehindProxy(dataFolder: string): boolean {
  return existsSync(fileIn(dataFolder));
}

export function noteProxy(dataFolder: string, log: Logger): void {
  log.warn(
    {},
    "a request came through a reverse proxy: /metrics needs a key, webhooks reach no private address, " +
      "and processes run only if FREEHOLD_DRIVERS names them",
  );
  try {
    writeFileSync(fileIn(dataFolder), NOTE, { mode: 0o600 });
  } catch (error) {
    log.warn({ err: error }, "the note about the reverse proxy cannot be written");
  }
}
