// Follows the logs of a Pod or worker: what is there, and what comes, until it is gone for good. Both
// logs are read as fast as they grow; only the backlog waits for the reader.

import type { Clock } from "../../base/clock.ts";
import type { LogCursor } from "../../domain/log/cursor.ts";
import { mergeByTime } from "../../domain/log/merge.ts";
import { topic } from "../../store/wakes.ts";
import { Backlog, type LostLines } from "./backlog.ts";
import {
  type ContainerLine,
  containerLines,
  type LogDeps,
  type LoggedLine,
  type LogWish,
  systemLogLines,
} from "./read.ts";
import { followOf } from "./source.ts";
import { isOver, type Subject } from "./subject.ts";

/** A wake-up may be lost. */
const LOOK_MS = 5_000;

/** One page of the system log; there are no more lines than this. */
const ALL_SYSTEM = 500;

export interface FollowDeps extends LogDeps {
  clock: Clock;
}

/** A line, and how far its reader has read with it. */
export type FollowedLine = (LoggedLine | LostLines) & { cursor: LogCursor };

/** `from` goes on where an earlier follow broke off, whatever `tail` says. Ends when `gone` aborts. */
export async function* followLog(
  deps: FollowDeps,
  subject: Subject,
  wish: LogWish,
  from: LogCursor | null,
  gone: AbortSignal,
): AsyncGenerator<FollowedLine[]> {
  const first = from ? { cursor: from, lines: [] } : await newest(deps, subject, wish);
  const cursor = { ...first.cursor };
  const withCursor = (lines: (LoggedLine | LostLines)[]) =>
    lines.map((line): FollowedLine => {
      if (line.type === "container") cursor.container = line.mark;
      if (line.type === "system") cursor.system = line.n;
      return { ...line, cursor: { ...cursor } };
    });
  if (first.lines.length > 0) yield withCursor(first.lines);
  const over = new AbortController();
  const signal = AbortSignal.any([gone, over.signal]);
  const backlog = new Backlog();
  const stop = () => backlog.end();
  gone.addEventListener("abort", stop, { once: true });
  const pumps = new Pumps(deps, subject, wish, backlog, signal).run({ ...cursor });
  pumps.then(stop, stop);
  try {
    for (;;) {
      const lines = await backlog.take();
      if (lines === null || gone.aborted) break;
      yield withCursor(lines);
    }
    if (!gone.aborted) await pumps;
  } finally {
    over.abort();
    gone.removeEventListener("abort", stop);
  }
}

/** The last lines, and how far somebody had read who knows all that is before them. */
async function newest(deps: FollowDeps, subject: Subject, { type, tail, since }: LogWish) {
  const [container, system] = await Promise.all([
    type === "system" ? [] : containerLines(deps, subject, tail + 1, since),
    type === "container" ? [] : systemLogLines(deps, subject, ALL_SYSTEM, since, 0),
  ]);
  const merged = mergeByTime(container, system);
  const lines = tail === 0 ? [] : merged.slice(-tail);
  const cursor: LogCursor = { system: 0, container: null };
  for (const line of merged.slice(0, merged.length - lines.length)) {
    if (line.type === "container") cursor.container = line.mark;
    else cursor.system = line.n;
  }
  return { lines, cursor };
}

class Pumps {
  readonly #deps: FollowDeps;
  readonly #subject: Subject;
  readonly #wish: LogWish;
  readonly #backlog: Backlog;
  readonly #signal: AbortSignal;

  constructor(
    deps: FollowDeps,
    subject: Subject,
    wish: LogWish,
    backlog: Backlog,
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#subject = subject;
    this.#wish = wish;
    this.#backlog = backlog;
    this.#signal = signal;
  }

  /** Resolves once there is nothing left to come. */
  async run(from: LogCursor): Promise<void> {
    const { type } = this.#wish;
    const printed = type === "system" ? this.#untilOver() : this.#container(from.container);
    if (type === "container") return printed;
    const ended = { yet: false };
    const told = this.#system(from.system, ended);
    await printed.finally(() => {
      ended.yet = true;
      this.#deps.store.wakes.ring(topic.log(this.#subject.id));
    });
    await told;
  }

  /** Run after run, for a Pod that is stopped may be started again. */
  async #container(from: string | null): Promise<void> {
    let mark = from;
    await this.#everyChange(async () => {
      const last = await isOver(this.#deps, this.#subject);
      try {
        const lines = followOf(this.#deps, this.#subject, mark, this.#signal);
        for await (const batch of lines) {
          mark = batch.at(-1)?.mark ?? mark;
          this.#backlog.add(batch.filter((line) => this.#isWanted(line)).map(asContainerLine));
        }
      } catch {
        // Its machine does not answer; it is asked again from where it broke off.
      }
      return last;
    });
  }

  async #system(from: number, ended: { yet: boolean }): Promise<void> {
    let after = from;
    await this.#everyChange(async () => {
      const last = ended.yet;
      const { since } = this.#wish;
      const lines = await systemLogLines(this.#deps, this.#subject, ALL_SYSTEM, since, after);
      after = lines.at(-1)?.n ?? after;
      this.#backlog.add(lines);
      return last;
    });
  }

  #untilOver(): Promise<void> {
    return this.#everyChange(() => isOver(this.#deps, this.#subject));
  }

  /** Looks now and after every change, until it is said that this was the last look. */
  async #everyChange(look: () => Promise<boolean>): Promise<void> {
    const { store, clock } = this.#deps;
    const bell = store.wakes.hang(topic.log(this.#subject.id));
    try {
      while (!this.#signal.aborted) {
        // A store that is away comes back.
        if (await look().catch(() => false)) return;
        await bell.wait(clock, LOOK_MS, this.#signal);
      }
    } finally {
      bell.close();
    }
  }

  #isWanted({ at }: { at: number | null }): boolean {
    const { since } = this.#wish;
    return since === null || at === null || at >= since;
  }
}

function asContainerLine(line: Omit<ContainerLine, "type">): ContainerLine {
  return { type: "container", ...line };
}
