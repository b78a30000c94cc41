// How long test files take, so that the longest start first and none of them is alone at the end.
// As a program: takes the longest files of the last full run (.cache/test-durations.tsv) into test/runner/longest.tsv.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./sets.ts";

export const TIMES = path.join(ROOT, ".cache", "test-times.tsv");
/** The seconds of each file's tests, which test/runner/report.ts writes. */
export const DURATIONS = path.join(ROOT, ".cache", "test-durations.tsv");
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

/** Seconds by file. */
export function longestFiles(): Map<string, number> {
  return existsSync(LONGEST) ? readDurations(LONGEST) : new Map();
}

export function readDurations(table: string): Map<string, number> {
  const lines = readFileSync(table, "utf8").trim().split("\n");
  return new Map(
    lines.filter(Boolean).map((line) => {
      const [seconds, file] = line.split("\t");
      return [file!, Number(seconds)];
    }),
  );
}

if (import.meta.main) {
  const lines = [...readDurations(DURATIONS)]
    .filter(([, seconds]) => seconds >= MIN_SECONDS)
    .sort(([, a], [, b]) => b - a)
    .map(([file, seconds]) => `${seconds.toFixed(0)}\t${file}\n`);
  writeFileSync(LONGEST, lines.join(""));
}
