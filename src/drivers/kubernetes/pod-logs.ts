// The logs of workloads: the archived logs of earlier Pods, then the log of the current one. A kubelet removes the log
// of a deleted Pod, so it is archived before.

import { addAbortSignal } from "node:stream";
import { ArchivedLogs, type LogPieceStore, MAX_ARCHIVED } from "../docker/log/archived-logs.ts";
import { LinesAfterMark, readMark } from "../docker/log/log-reader.ts";
import { DriverUnavailable, type LogLine, MAX_LINE_CHARS } from "../driver.ts";
import { NewestLines, newestLines } from "../newest-lines.ts";
import type { ApiClient, QueryParams } from "./client/api-client.ts";
import { ApiError } from "./client/api-error.ts";
import { CONTAINER } from "./pod/pod-object.ts";

export class PodLogs {
  readonly #client: ApiClient;
  readonly #pathOf: (id: string) => string | null;
  readonly #archived: ArchivedLogs;
  /** Under way, by workload. */
  readonly #archiving = new Map<string, Promise<void>>();

  /** `pathOf` returns the path of a workload's current Pod, if it has one. */
  constructor(client: ApiClient, store: LogPieceStore, pathOf: (id: string) => string | null) {
    this.#client = client;
    this.#pathOf = pathOf;
    this.#archived = new ArchivedLogs(store);
  }

  async last(id: string, tail: number, since?: number): Promise<LogLine[]> {
    const newest = new NewestLines(tail);
    const from = since === undefined ? {} : { sinceTime: secondOf(since) };
    for await (const lines of this.#read(id, { tailLines: tail, ...from }, never))
      newest.add(lines);
    const isWanted = ({ at }: LogLine) => at === null || since === undefined || at >= since;
    const current = newest.all();
    const archived = (await this.#archived.of(id)).filter(isWanted);
    return newestLines([...archived, ...notIn(archived)(current.filter(isWanted))], tail);
  }

  async *follow(id: string, after: string | null, signal: AbortSignal): AsyncGenerator<LogLine[]> {
    if (signal.aborted) return;
    const mark = after === null ? null : readMark(after);
    const archived = await this.#archived.of(id);
    const earlier = new LinesAfterMark(mark).of(archived);
    if (earlier.length > 0) yield earlier;
    const from = mark === null ? {} : { sinceTime: secondOf(Date.parse(mark.stamp)) };
    const afterMark = new LinesAfterMark(mark);
    const withoutArchived = notIn(archived);
    for await (const lines of this.#read(id, { follow: true, ...from }, signal)) {
      const newLines = withoutArchived(afterMark.of(lines));
      if (newLines.length > 0) yield newLines;
    }
  }

  /** Reads the log of the current Pod until its container has ended, and archives it. Calls meanwhile join it. */
  archive(id: string): Promise<void> {
    const pending = this.#archiving.get(id);
    if (pending) return pending;
    const archiving = this.#archiveCurrent(id).finally(() => this.#archiving.delete(id));
    this.#archiving.set(id, archiving);
    return archiving;
  }

  async #archiveCurrent(id: string): Promise<void> {
    const newest = new NewestLines(MAX_ARCHIVED.lines);
    for await (const lines of this.#read(id, { follow: true }, never)) newest.add(lines);
    await this.#archived.archive(id, notIn(await this.#archived.of(id))(newest.all()));
  }

  forget(id: string): Promise<void> {
    return this.#archived.forget(id);
  }

  async *#read(id: string, query: QueryParams, signal: AbortSignal): AsyncGenerator<LogLine[]> {
    const path = this.#pathOf(id);
    if (path === null) return;
    const request = { container: CONTAINER, timestamps: true, ...query };
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    try {
      const stream = await this.#client.stream(`${path}/log`, request, either);
      addAbortSignal(either, stream);
      const reader = new TextLines();
      for await (const piece of stream) {
        const lines = reader.feed((piece as Buffer).toString("latin1"));
        if (lines.length > 0) yield lines;
      }
      const rest = reader.end();
      if (rest.length > 0) yield rest;
    } catch (error) {
      if (!signal.aborted) throwUnlessMissing(error);
    } finally {
      ended.abort();
    }
  }
}

/** Anything but a Pod, a container or a log that does not exist is no empty log, and passes. */
function throwUnlessMissing(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 400 || error.status === 404) return;
  throw new DriverUnavailable(`Kubernetes does not give the log: ${error.message}`);
}

const never = new AbortController().signal;

/** Kubernetes reads whole seconds. */
const secondOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Omits archived lines: until its Pod is deleted, they are in the current log too. */
function notIn(archived: LogLine[]): (lines: LogLine[]) => LogLine[] {
  const marks = new Set(archived.map(({ mark }) => mark));
  return (lines) => lines.filter(({ mark }) => !marks.has(mark));
}

/** Splits the text of a log into lines, each of which begins with its time. */
class TextLines {
  #rest = "";
  #last = { stamp: "", count: 0 };

  /** `text` holds a byte in each character. */
  feed(text: string): LogLine[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => this.#linesOf(line));
  }

  end(): LogLine[] {
    const rest = this.#rest;
    this.#rest = "";
    return rest === "" ? [] : this.#linesOf(rest);
  }

  #linesOf(raw: string): LogLine[] {
    const space = raw.indexOf(" ");
    const stamp = raw.slice(0, space);
    const at = Date.parse(stamp);
    if (Number.isNaN(at)) return [];
    const text = Buffer.from(raw.slice(space + 1), "latin1")
      .toString("utf8")
      .replace(/\r$/, "");
    const pieces = text.match(new RegExp(`.{1,${MAX_LINE_CHARS}}`, "gsu")) ?? [""];
    return pieces.map((piece) => {
      const count = stamp === this.#last.stamp ? this.#last.count + 1 : 1;
      this.#last = { stamp, count };
      return { at, text: piece, mark: `${stamp}/${count}` };
    });
  }
}
