// How long test files take, so that the longest start first and none of them is alone at the end.
// As a program: takes the longest files of the last full run (.cache/test-durations.tsv) into test/runner/longest.tsv.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { reachOf } from "./graph.ts";
import { allTestFiles, ROOT } from "./sets.ts";

export const TIMES = path.join(ROOT, ".cache", "test-times.tsv");
/** The seconds of each file's tests, which test/runner/report.ts writes. */
export const DURATIONS = path.join(ROOT, ".cache", "test-durations.tsv");
const LONGEST = path.join(import.meta.dirname, "longest.tsv");
/** Shorter files do not matter for the end of a run. */
const MIN_SECONDS = 8;

export interface FileTime {
  /** Or "starting FILE" for what a test process takes besides its tests. */
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
    const [wall, cpu, file] = row.split("\t");
    return { file: file!, wallSeconds: Number(wall), cpuSeconds: Number(cpu) };
  });
}

export const timeRow = ({ file, wallSeconds, cpuSeconds }: FileTime): string =>
  `${wallSeconds.toFixed(1)}\t${cpuSeconds.toFixed(1)}\t${file}\n`;

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

/**
 * Tests that a helper defines are measured as the helper's. The test files that load it and define none themselves get
 * equal parts, or else all that load it.
 */
export function withHelpersShared(seconds: Map<string, number>): Map<string, number> {
  const all = allTestFiles();
  const shared = new Map([...seconds].filter(([file]) => all.includes(file)));
  for (const [helper, each] of seconds) {
    if (all.includes(helper)) continue;
    const users = all.filter((file) => reachOf(file, isOfTests).files.has(helper));
    const empty = users.filter((file) => !seconds.has(file));
    const takers = empty.length > 0 ? empty : users;
    for (const file of takers) shared.set(file, (shared.get(file) ?? 0) + each / takers.length);
  }
  return shared;
}

const isOfTests = (file: string) => file.startsWith("test/");

if (import.meta.main) {
  const lines = [...withHelpersShared(readDurations(DURATIONS))]
    .filter(([, seconds]) => seconds >= MIN_SECONDS)
    .sort(([, a], [, b]) => b - a)
    .map(([file, seconds]) => `${seconds.toFixed(0)}\t${file}\n`);
  writeFileSync(LONGEST, lines.join(""));
}
