// What workloads printed: what the engine keeps of a container's output, read as a stream, so that no
// log is ever held whole, behind what was kept of earlier containers.

import { addAbortSignal, type Readable } from "node:stream";
import type { LogLine } from "../driver.ts";
import { NewestLines, newest } from "../newest-lines.ts";
import { type Engine, statusOf } from "./engine.ts";
import { KeptLogs, type LogShelf, MOST_KEPT } from "./kept-logs.ts";
import { Behind, LogReader, type Mark, readMark, secondsOf } from "./log-reader.ts";

export class ContainerLogs {
  readonly #engine: Engine;
  readonly #nameOf: (id: string) => string;
  readonly #kept: KeptLogs;

  constructor(engine: Engine, shelf: LogShelf, nameOf: (id: string) => string) {
    this.#engine = engine;
    this.#nameOf = nameOf;
    this.#kept = new KeptLogs(shelf);
  }

  async last(id: string, tail: number, since?: number): Promise<LogLine[]> {
    const own = await lastLinesOf(this.#engine, this.#nameOf(id), { tail, since });
    if (own.length >= tail) return own;
    const kept = await this.#kept.of(id);
    const earlier = kept.filter(({ at }) => at === null || since === undefined || at >= since);
    return newest([...earlier, ...notIn(kept)(own)], tail);
  }

  async *follow(id: string, after: string | null, gone: AbortSignal): AsyncGenerator<LogLine[]> {
    if (gone.aborted) return;
    const mark = after === null ? null : readMark(after);
    const earlier = new Behind(mark).of(await this.#kept.of(id));
    if (earlier.length > 0) yield earlier;
    const fresh = notIn(earlier);
    for await (const lines of linesFrom(this.#engine, this.#nameOf(id), mark, gone)) {
      const some = fresh(lines);
      if (some.length > 0) yield some;
    }
  }

  /** Before its container is removed, and another one begins. */
  async keep(id: string): Promise<void> {
    const printed = await lastLinesOf(this.#engine, this.#nameOf(id), { tail: MOST_KEPT.lines });
    await this.#kept.keep(id, notIn(await this.#kept.of(id))(printed));
  }

  forget(id: string): Promise<void> {
    return this.#kept.forget(id);
  }
}

/** Leaves out what is kept already: a container that is about to go has the same lines still. */
function notIn(kept: LogLine[]): (lines: LogLine[]) => LogLine[] {
  const marks = new Set(kept.map(({ mark }) => mark));
  return (lines) => lines.filter(({ mark }) => !marks.has(mark));
}

interface LogPart {
  tail: number;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
}

/** The newest lines; none where there is no such container. */
async function lastLinesOf(
  engine: Engine,
  container: string,
  { tail, since }: LogPart,
): Promise<LogLine[]> {
  const kept = new NewestLines(tail);
  const from = since === undefined ? {} : { since: (since / 1_000).toFixed(3) };
  const never = new AbortController();
  for await (const lines of read(engine, container, { tail, ...from }, never.signal)) {
    kept.add(lines);
  }
  return kept.all();
}

/** What stands behind a mark, and what is printed until the container ends. */
async function* linesFrom(
  engine: Engine,
  container: string,
  mark: Mark | null,
  gone: AbortSignal,
): AsyncGenerator<LogLine[]> {
  const behind = new Behind(mark);
  const from = mark === null ? {} : { since: secondsOf(mark.stamp) };
  for await (const lines of read(engine, container, { follow: true, ...from }, gone)) {
    yield behind.of(lines);
  }
}

async function* read(
  engine: Engine,
  container: string,
  options: Record<string, unknown>,
  gone: AbortSignal,
): AsyncGenerator<LogLine[]> {
  if (gone.aborted) return;
  const stream = await open(engine, container, options);
  if (stream === null) return;
  addAbortSignal(gone, stream);
  const reader = new LogReader();
  try {
    for await (const piece of stream) {
      const lines = reader.feed(piece as Buffer);
      if (lines.length > 0) yield lines;
    }
    yield reader.end();
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    stream.destroy();
  }
}

/** By the engine's own route, for its library gathers a log that is not followed in one piece. */
async function open(
  engine: Engine,
  container: string,
  options: Record<string, unknown>,
): Promise<Readable | null> {
  const request = {
    path: `/containers/${container}/logs?`,
    method: "GET",
    isStream: true,
    statusCodes: { 200: true, 404: "no such container", 409: "it is going", 500: "server error" },
    options: { stdout: true, stderr: true, timestamps: true, ...options },
  };
  const asked = engine.askSoon(
    ({ modem }) =>
      new Promise<Readable>((resolve, reject) => {
        modem.dial(request, (error: unknown, stream: unknown) => {
          if (error) reject(error);
          else resolve(stream as Readable);
        });
      }),
  );
  return asked.catch((error) => {
    if (statusOf(error) === 404 || statusOf(error) === 409) return null;
    throw error;
  });
}
