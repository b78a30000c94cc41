// A temporary folder that is removed on every way out, a signal included.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal also ends the process, and `abort` receives it first. */
export async function inScratchFolder<Result>(
  work: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-deploy-"));
  const abort = new AbortController();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals) => {
    abort.abort();
    remove();
    for (const each of SIGNALS) process.off(each, end);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work(folder, abort.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    remove();
  }
}
