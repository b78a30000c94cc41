// The folders of a simulation. They end with its process, and so do the PostgreSQL servers in them: also if it is killed.

import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { serversFolder } from "../../postgres/server.ts";

const GUARD = path.join(import.meta.dirname, "guard.sh");

let root: string | null = null;

export function newFolder(): string {
  root ??= openRoot();
  return mkdtempSync(path.join(root, "f-"));
}

/** It has a guard in a session of its own, which no signal to the simulation's group reaches. */
function openRoot(): string {
  const folder = mkdtempSync(path.join(serversFolder(), "freehold-simulator-"));
  // A server runs as another user, if the simulation runs as root.
  chmodSync(folder, 0o711);
  const guard = spawn("sh", [GUARD, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  return folder;
}
