// A file that appears whole or not at all: it is written under a temporary name beside its target,
// synced, and renamed. A signal removes the unfinished file; the next writer removes what a SIGKILL
// or a power cut left behind.

import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../base/refusal.ts";
import { syncFolder } from "../put-in-place.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Files that SQLite may create beside a database. */
const BESIDE = ["", "-journal", "-wal", "-shm"];

/**
 * `write` fills an empty file that only its owner can read; when it resolves, the file becomes
 * `target`. Throws Refusal if the file cannot be created.
 */
export async function writeWhole<Result>(
  target: string,
  write: (file: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = `${stem(target)}${process.pid}.partial`;
  const remove = () => {
    for (const part of BESIDE) rmSync(unfinished + part, { force: true });
  };
  const end = (signal: NodeJS.Signals) => {
    remove();
    for (const each of SIGNALS) process.off(each, end);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  begin(target, unfinished);
  try {
    const result = await write(unfinished);
    sync(unfinished);
    renameSync(unfinished, target);
    syncFolder(path.dirname(target));
    return result;
  } catch (error) {
    remove();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

function begin(target: string, unfinished: string): void {
  try {
    removeAbandoned(target);
    closeSync(openSync(unfinished, "wx", 0o600));
  } catch (error) {
    throw new Refusal(`${target} cannot be written: ${(error as Error).message}`);
  }
}

const stem = (target: string) => path.join(path.dirname(target), `.${path.basename(target)}.`);

/**
 * Removes files of processes that no longer run; another process may be writing the same target.
 */
function removeAbandoned(target: string): void {
  const folder = path.dirname(target);
  const start = path.basename(stem(target));
  for (const name of readdirSync(folder)) {
    const pid = /^(\d+)\.partial/.exec(name.startsWith(start) ? name.slice(start.length) : "")?.[1];
    if (pid && !isOther(Number(pid))) rmSync(path.join(folder, name), { force: true });
  }
}

function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
