// The order of a run: the longest files first, so that none of them is alone at the end.
// As a program: takes the longest files of the last full run (.cache/test-times.tsv) into test/runner/longest.tsv.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./sets.ts";

export const TIMES = path.join(ROOT, ".cache", "test-times.tsv");
const LONGEST = path.join(import.meta.dirname, "longest.tsv");
/** Shorter files do not matter for the end of a run. */
const MIN_SECONDS = 8;

export interface FileTime {
  file: string;
  wallSeconds: number;
  /** With that of its child processes. */
  cpuSeconds: number;
}

export function readTimes(table: string): FileTime[] {
  const rows = readFileSync(table, "utf8")
    .split("\n")
    .filter((row) => /^\d/.test(row));
  return rows.map((row) => {
    const [wall, own, children, file] = row.split("\t");
    return { file: file!, wallSeconds: Number(wall), cpuSeconds: Number(own) + Number(children) };
  });
}

export function longestFirst(files: string[]): string[] {
  const lines = existsSync(LONGEST) ? readFileSync(LONGEST, "utf8").trim().split("\n") : [];
  const seconds = new Map(
    lines.map((line) => {
      const [wall, file] = line.split("\t");
      return [file!, Number(wall)];
    }),
  );
  return files.toSorted((a, b) => (seconds.get(b) ?? 0) - (seconds.get(a) ?? 0));
}

if (import.meta.main) {
  const rows = readTimes(TIMES).filter(
    ({ file, wallSeconds }) => wallSeconds >= MIN_SECONDS && !file.startsWith(".cache"),
  );
  const lines = rows
    .sort((a, b) => b.wallSeconds - a.wallSeconds)
    .map(({ file, wallSeconds }) => `${wallSeconds.toFixed(0)}\t${file}\n`);
  writeFileSync(LONGEST, lines.join(""));
}
