// The output of a run: that of Node's spec reporter, then a table of what did not run and why. Node's closing
// lines (tests, pass, fail) come last.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import type { TestEvent } from "node:test/reporters";
import { spec } from "node:test/reporters";
import { DURATIONS, readDurations, timeRow } from "./order.ts";
import { ROOT } from "./sets.ts";

/** One run, as the file in FREEHOLD_TEST_RESULTS keeps it for the summary of several. */
export interface RunResult {
  name: string;
  /** The figures of Node's closing lines. */
  counts: Record<string, number>;
  skipped: Skip[];
  failures: Failure[];
}

export interface Failure {
  test: string;
  /** From the root of the repository. */
  file: string;
}

export interface Skip {
  cause: string;
  tests: number;
  files: string[];
}

export const CLOSING = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;
const CPU_LINE = /^CPU seconds: ([\d.]+)$/;
const CLOSING_LINE = new RegExp(`^(${CLOSING.join("|")}|duration_ms) ([\\d.]+)$`);

export class Report {
  readonly #name: string;
  /** What the command leaves out, and the command that runs it. */
  readonly #leftOut: string | null;
  readonly #counts: Record<string, number> = {};
  readonly #skips = new Map<string, Skip>();
  readonly #failures: Failure[] = [];
  /** Milliseconds by file. */
  readonly #durations = new Map<string, number>();
  /** By file, from bin/test-times.mjs. */
  readonly #cpuSeconds = new Map<string, number>();

  constructor(name: string, leftOut: string | null) {
    this.#name = name;
    this.#leftOut = leftOut;
  }

  async *write(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
    const reporter = new spec();
    const closing: TestEvent[] = [];
    for await (const event of events) {
      if (this.#closes(event)) closing.push(event);
      else if (!this.#measures(event)) {
        this.#count(event);
        reporter.write(event);
        yield textOf(reporter);
      }
    }
    reporter.end();
    yield textOf(reporter);
    const result: RunResult = {
      name: this.#name,
      counts: this.#counts,
      skipped: [...this.#skips.values()],
      failures: this.#failures,
    };
    const { FREEHOLD_TEST_RESULTS: results } = process.env;
    if (results) appendFileSync(results, `${JSON.stringify(result)}\n`);
    if (/^(?:core|more|all)$/.test(this.#name)) this.#writeDurations();
    this.#writeTimes();
    yield `\n${tableOf(result, this.#leftOut)}\n`;
    const last = new spec();
    for (const event of closing) last.write(event);
    yield textOf(last);
  }

  /** True for one of Node's closing lines, which it counts. */
  #closes(event: TestEvent): boolean {
    if (event.type !== "test:diagnostic" || event.data.nesting !== 0) return false;
    const [, name, figure] = CLOSING_LINE.exec(event.data.message) ?? [];
    if (name === undefined) return false;
    this.#counts[name] = Number(figure);
    return true;
  }

  /** True for the CPU time of a test, which it adds to that of the file. */
  #measures({ type, data }: TestEvent): boolean {
    if (type !== "test:diagnostic") return false;
    const [, seconds] = CPU_LINE.exec(data.message) ?? [];
    if (seconds === undefined) return false;
    const file = nameOf(data.file);
    this.#cpuSeconds.set(file, (this.#cpuSeconds.get(file) ?? 0) + Number(seconds));
    return true;
  }

  #count({ type, data }: TestEvent): void {
    if (type === "test:summary" && !data.success) process.exitCode ||= 1;
    if (type === "test:pass" || type === "test:fail") this.#time(data);
    if (type === "test:fail") this.#failures.push({ test: data.name, file: nameOf(data.file) });
    if (type !== "test:pass" || data.skip === undefined || data.skip === false) return;
    const cause = typeof data.skip === "string" && data.skip !== "" ? data.skip : "no cause given";
    const skip = this.#skips.get(cause) ?? { cause, tests: 0, files: [] };
    const file = nameOf(data.file);
    if (file && !skip.files.includes(file)) skip.files.push(file);
    skip.tests++;
    this.#skips.set(cause, skip);
  }

  /** Files of a batch have no process of their own, so the times of their tests are added. */
  #time({
    file,
    nesting,
    details,
  }: {
    file?: string;
    nesting: number;
    details: { duration_ms: number };
  }): void {
    if (!file || nesting > 0) return;
    const name = nameOf(file);
    this.#durations.set(name, (this.#durations.get(name) ?? 0) + details.duration_ms);
  }

  /** The other set's files keep their times. */
  #writeDurations(): void {
    const seconds = existsSync(DURATIONS) ? readDurations(DURATIONS) : new Map<string, number>();
    for (const [file, ms] of this.#durations) seconds.set(file, ms / 1_000);
    const lines = [...seconds].map(([file, each]) => `${each.toFixed(1)}\t${file}\n`);
    mkdirSync(path.dirname(DURATIONS), { recursive: true });
    writeFileSync(DURATIONS, lines.join(""));
  }

  #writeTimes(): void {
    const { FREEHOLD_TEST_TIMES: table } = process.env;
    if (!table) return;
    const rows = [...this.#cpuSeconds].map(([file, cpuSeconds]) =>
      timeRow({ file, cpuSeconds, wallSeconds: (this.#durations.get(file) ?? 0) / 1_000 }),
    );
    appendFileSync(table, rows.join(""));
  }
}

const nameOf = (file = "") => path.relative(ROOT, file).replaceAll(path.sep, "/");

/** What a file in FREEHOLD_TEST_RESULTS has. */
export function readResults(file: string): RunResult[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter(Boolean).map((line): RunResult => JSON.parse(line));
}

function textOf(reporter: Readable): string {
  return (reporter.read() ?? "").toString();
}

/** Run, failed, skipped by cause, left out. */
export function tableOf({ counts, skipped }: RunResult, leftOut: string | null): string {
  const { tests = 0, fail = 0, cancelled = 0, skipped: skips = 0 } = counts;
  const lines = [
    `run      ${tests - skips}`,
    `failed   ${fail + cancelled}`,
    `skipped  ${skips}`,
    ...skipped
      .toSorted((a, b) => b.tests - a.tests)
      .flatMap(({ cause, tests: number, files }) => [
        `  ${cause}: ${number}`,
        `    node bin/test.mjs ${shortened(files).join(" ")}`,
      ]),
  ];
  if (leftOut) lines.push(`left out ${leftOut}`);
  return lines.join("\n");
}

/** The folders of many files, or few files themselves. */
function shortened(files: string[]): string[] {
  if (files.length <= 3) return files;
  return [...new Set(files.map((file) => file.split("/").slice(0, 2).join("/")))].sort();
}
