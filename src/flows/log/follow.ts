// Following the logs of a Pod or worker: existing lines, then new ones until it has ended for good.
// Both logs are read as they grow; the backlog absorbs a slow reader.

import { type Clock, routineOf } from "../../base/clock.ts";
import type { LogCursor } from "../../domain/log/cursor.ts";
import { mergeByTime } from "../../domain/log/merge.ts";
import { topic } from "../../store/engine/notifier.ts";
import { followOf } from "../replica/log-source.ts";
import { Backlog, type LostLines } from "./backlog.ts";
import {
  type ContainerLine,
  containerLines,
  type LogDeps,
  type LoggedLine,
  type LogRequest,
  systemLogLines,
} from "./read.ts";
import { isOver, type Subject } from "./subject.ts";

/** The log is also polled, because a notification can be lost. */
const POLL_MS = 5_000;

/** More lines than a system log has. */
const MAX_SYSTEM_LINES = 500;

export interface FollowDeps extends LogDeps {
  clock: Clock;
}

/** A line, and the cursor after it. */
export type FollowedLine = (LoggedLine | LostLines) & { cursor: LogCursor };

export interface FollowRequest extends LogRequest {
  /** Continues after an earlier follow, and overrides `tail`. */
  from: LogCursor | null;
}

/** Ends when the caller's signal aborts. */
export async function* followLog(
  deps: FollowDeps,
  subject: Subject,
  { from, ...request }: FollowRequest,
  callerSignal: AbortSignal,
): AsyncGenerator<FollowedLine[]> {
  const first = from ? { cursor: from, lines: [] } : await newest(deps, subject, request);
  const cursor = { ...first.cursor };
  const withCursor = (lines: (LoggedLine | LostLines)[]) =>
    lines.map((line): FollowedLine => {
      if (line.type === "container") cursor.container = line.mark;
      if (line.type === "system") cursor.system = line.n;
      return { ...line, cursor: { ...cursor } };
    });
  if (first.lines.length > 0) yield withCursor(first.lines);
  const over = new AbortController();
  const signal = AbortSignal.any([callerSignal, over.signal]);
  const follower = new LogFollower(deps, subject, request, signal);
  const { backlog } = follower;
  const stop = () => backlog.end();
  callerSignal.addEventListener("abort", stop, { once: true });
  const followed = follower.run({ ...cursor });
  followed.then(stop, stop);
  try {
    for (;;) {
      const lines = await backlog.take();
      if (lines === null || callerSignal.aborted) break;
      yield withCursor(lines);
    }
    if (!callerSignal.aborted) await followed;
  } finally {
    over.abort();
    callerSignal.removeEventListener("abort", stop);
  }
}

/** The last lines, and the cursor before them. */
async function newest(deps: FollowDeps, subject: Subject, { type, tail, since }: LogRequest) {
  const [container, system] = await Promise.all([
    type === "system" ? [] : containerLines(deps, subject, tail + 1, since),
    type === "container"
      ? []
      : systemLogLines(deps, subject, { tail: MAX_SYSTEM_LINES, since, after: 0 }),
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

class LogFollower {
  readonly backlog = new Backlog();
  readonly #deps: FollowDeps;
  readonly #subject: Subject;
  readonly #request: LogRequest;
  readonly #signal: AbortSignal;

  constructor(deps: FollowDeps, subject: Subject, request: LogRequest, signal: AbortSignal) {
    this.#deps = deps;
    this.#subject = subject;
    this.#request = request;
    this.#signal = signal;
  }

  /** Resolves when no more lines can come. */
  async run(from: LogCursor): Promise<void> {
    const { type } = this.#request;
    const containerDone = type === "system" ? this.#untilOver() : this.#container(from.container);
    if (type === "container") return containerDone;
    const containerEnd = { yet: false };
    const systemDone = this.#system(from.system, containerEnd);
    await containerDone.finally(() => {
      containerEnd.yet = true;
      this.#deps.store.notifier.notify(topic.log(this.#subject.id));
    });
    await systemDone;
  }

  /** Follows one run after another, because a stopped Pod can be started again. */
  async #container(from: string | null): Promise<void> {
    let mark = from;
    await this.#repeat(async () => {
      const last = await isOver(this.#deps, this.#subject);
      try {
        const lines = followOf(this.#deps, this.#subject, mark, this.#signal);
        for await (const batch of lines) {
          mark = batch.at(-1)?.mark ?? mark;
          this.backlog.add(batch.filter((line) => this.#isRecent(line)).map(asContainerLine));
        }
      } catch {
        // The machine is unreachable; the next step continues at the mark.
      }
      return last;
    });
  }

  async #system(from: number, containerEnd: { yet: boolean }): Promise<void> {
    let after = from;
    await this.#repeat(async () => {
      const last = containerEnd.yet;
      const { since } = this.#request;
      const unread = { tail: MAX_SYSTEM_LINES, since, after };
      const lines = await systemLogLines(this.#deps, this.#subject, unread);
      after = lines.at(-1)?.n ?? after;
      this.backlog.add(lines);
      return last;
    });
  }

  #untilOver(): Promise<void> {
    return this.#repeat(() => isOver(this.#deps, this.#subject));
  }

  /** Runs the step now and after every change, until it returns true. */
  async #repeat(step: () => Promise<boolean>): Promise<void> {
    const { store, clock } = this.#deps;
    const subscription = store.notifier.subscribe(topic.log(this.#subject.id));
    try {
      while (!this.#signal.aborted) {
        // An error, such as an unavailable store, is retried.
        if (await step().catch(() => false)) return;
        await subscription.wait(routineOf(clock), POLL_MS, this.#signal);
      }
    } finally {
      subscription.close();
    }
  }

  #isRecent({ at }: { at: number | null }): boolean {
    const { since } = this.#request;
    return since === null || at === null || at >= since;
  }
}

function asContainerLine(line: Omit<ContainerLine, "type">): ContainerLine {
  return { type: "container", ...line };
}
