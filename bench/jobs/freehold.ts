// A party: Freehold as a user starts it, on SQLite in a data folder on disk, in which the bench has
// put its endpoint and workers before.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { openSqlite } from "../../src/store/dialect/sqlite.ts";
import { seedBench } from "./bench-data.ts";
import { benchKey } from "./bench-key.ts";
import { type PartyProcess, spawnTracked, stopProcess } from "./party-process.ts";

const launcher = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");

/** An empty data folder but for what the load needs; remove it with `dropFolder`. */
export async function newDataFolder(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  await seedBench(store);
  await store.close();
  return folder;
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the service on a data folder and waits until its first probe says that it is ready. */
export async function startFreehold(
  folder: string,
  nodeFlags: string[] = [],
): Promise<PartyProcess> {
  const begun = performance.now();
  const child = spawnTracked(process.execPath, [...nodeFlags, launcher, "up"], {
    FREEHOLD_DATA: folder,
    FREEHOLD_LISTEN: "127.0.0.1:0",
    FREEHOLD_API_KEY: benchKey,
  });
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const origin = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (origin) resolve(Number(origin[1]));
    });
    child.once("exit", (code) => reject(new Error(`freehold ended with ${code} before it was up`)));
  });
  const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (status !== 200) throw new Error(`freehold says that it is not ready: ${status}`);
  const readyMs = performance.now() - begun;
  return { pid: child.pid!, port, readyMs, stop: () => stopProcess(child) };
}
