// The logs of workloads: the archived logs of earlier containers, then the engine's log of the current
// one, read as a stream so that no complete log is in memory.

import { addAbortSignal, type Readable } from "node:stream";
import { type Clock, pause } from "../../../base/clock.ts";
import type { LogLine } from "../../driver.ts";
import { NewestLines, newestLines } from "../../newest-lines.ts";
import { type Engine, statusOf } from "../engine.ts";
import { ArchivedLogs, type LogPieceStore, MAX_ARCHIVED } from "./archived-logs.ts";
import {
  type DockerLogMark,
  LinesAfterMark,
  LogReader,
  readMark,
  secondsOf,
} from "./log-reader.ts";

export class ContainerLogs {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #nameOf: (id: string) => string;
  readonly #archived: ArchivedLogs;

  constructor(
    engine: Engine,
    clock: Clock,
    pieceStore: LogPieceStore,
    nameOf: (id: string) => string,
  ) {
    this.#engine = engine;
    this.#clock = clock;
    this.#nameOf = nameOf;
    this.#archived = new ArchivedLogs(pieceStore);
  }

  async last(id: string, tail: number, since?: number): Promise<LogLine[]> {
    const current = await lastLinesOf(this.#engine, this.#nameOf(id), { tail, since });
    if (current.length >= tail) return current;
    const archived = await this.#archived.of(id);
    const earlier = archived.filter(({ at }) => at === null || since === undefined || at >= since);
    return newestLines([...earlier, ...notIn(archived)(current)], tail);
  }

  async *follow(id: string, after: string | null, signal: AbortSignal): AsyncGenerator<LogLine[]> {
    if (signal.aborted) return;
    const mark = after === null ? null : readMark(after);
    const earlier = new LinesAfterMark(mark).of(await this.#archived.of(id));
    if (earlier.length > 0) yield earlier;
    const withoutArchived = notIn(earlier);
    for await (const lines of linesFrom(this.#engine, this.#nameOf(id), mark, signal)) {
      const newLines = withoutArchived(lines);
      if (newLines.length > 0) yield newLines;
    }
  }

  /** To be called before the workload's container is removed. */
  async archive(id: string): Promise<void> {
    const lines = await lastLinesOf(this.#engine, this.#nameOf(id), { tail: MAX_ARCHIVED.lines });
    await this.#archived.archive(id, notIn(await this.#archived.of(id))(lines));
    // A next container's lines of the same second would have the marks of these.
    const nextSecond = (lines.at(-1)?.at ?? 0) + SECOND_MS;
    if (this.#clock.now() < nextSecond && (await hasWholeSeconds(this.#engine)))
      await pause(this.#clock, SECOND_MS);
  }

  forget(id: string): Promise<void> {
    return this.#archived.forget(id);
  }
}

const SECOND_MS = 1_000;

/**
 * Podman gives the times of lines in whole seconds. A line's number in its second is then only known where the
 * log is read from the second's first line, so that `tail` and a fraction in `since` must not cut it.
 */
const hasWholeSeconds = async (engine: Engine) => (await engine.kind()) === "podman";

/** Omits archived lines: a container whose log is archived still has the same lines until it is removed. */
function notIn(archived: LogLine[]): (lines: LogLine[]) => LogLine[] {
  const marks = new Set(archived.map(({ mark }) => mark));
  return (lines) => lines.filter(({ mark }) => !marks.has(mark));
}

interface LogPart {
  tail: number;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
}

/** The newest lines; none if the container does not exist. */
async function lastLinesOf(
  engine: Engine,
  container: string,
  { tail, since }: LogPart,
): Promise<LogLine[]> {
  const newest = new NewestLines(tail);
  const wholeSeconds = await hasWholeSeconds(engine);
  const options = {
    ...(!wholeSeconds && { tail }),
    ...(since !== undefined && {
      since: wholeSeconds ? String(Math.floor(since / 1_000)) : (since / 1_000).toFixed(3),
    }),
  };
  const never = new AbortController();
  for await (const lines of read(engine, container, options, never.signal)) newest.add(lines);
  return newest.all();
}

/** The lines after a mark, then new lines until the container ends. */
async function* linesFrom(
  engine: Engine,
  container: string,
  mark: DockerLogMark | null,
  signal: AbortSignal,
): AsyncGenerator<LogLine[]> {
  const afterMark = new LinesAfterMark(mark);
  const from = mark === null ? {} : { since: secondsOf(mark.stamp) };
  for await (const lines of read(engine, container, { follow: true, ...from }, signal)) {
    yield afterMark.of(lines);
  }
}

async function* read(
  engine: Engine,
  container: string,
  options: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<LogLine[]> {
  if (signal.aborted) return;
  const stream = await open(engine, container, options);
  if (stream === null) return;
  engine.guard(addAbortSignal(signal, stream));
  const reader = new LogReader();
  try {
    for await (const piece of stream) {
      const lines = reader.feed(piece as Buffer);
      if (lines.length > 0) yield lines;
    }
    yield reader.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stream.destroy();
  }
}

/** Calls the engine's route directly, because the library buffers a log that is not followed. */
async function open(
  engine: Engine,
  container: string,
  options: Record<string, unknown>,
): Promise<Readable | null> {
  const request = {
    path: `/containers/${container}/logs?`,
    method: "GET",
    isStream: true,
    statusCodes: { 200: true, 404: "no such container", 409: "being removed", 500: "server error" },
    options: { stdout: true, stderr: true, timestamps: true, ...options },
  };
  const response = engine.callWithin(
    ({ modem }) =>
      new Promise<Readable>((resolve, reject) => {
        modem.dial(request, (error: unknown, stream: unknown) => {
          if (error) reject(error);
          else resolve(stream as Readable);
        });
      }),
  );
  return response.catch((error) => {
    if (statusOf(error) === 404 || statusOf(error) === 409) return null;
    throw error;
  });
}
