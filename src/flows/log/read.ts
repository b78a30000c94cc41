// Reading the two logs of a Pod or worker as one: its container's lines and the service's lines.

import { mergeByTime } from "../../domain/log/merge.ts";
import type { Store } from "../../store/engine/store.ts";
import { systemLines } from "../../store/log/system-log.ts";
import { type LogSources, logOf } from "../replica/log-source.ts";
import type { Subject } from "./subject.ts";

type LogType = "container" | "system";

export interface LogRequest {
  /** One of the two logs; null for both. */
  type: LogType | null;
  /** The number of newest lines. */
  tail: number;
  /** Only lines at or after this instant, in milliseconds; null for all. */
  since: number | null;
}

export interface ContainerLine {
  type: "container";
  at: number | null;
  text: string;
  mark: string;
}

export interface SystemLogLine {
  type: "system";
  at: number;
  text: string;
  n: number;
}

export type LoggedLine = ContainerLine | SystemLogLine;

export interface LogDeps extends LogSources {
  store: Store;
}

/** Returns the lines, oldest first. */
export async function readLog(
  deps: LogDeps,
  subject: Subject,
  { type, tail, since }: LogRequest,
): Promise<LoggedLine[]> {
  const [container, system] = await Promise.all([
    type === "system" ? [] : containerLines(deps, subject, tail, since),
    type === "container" ? [] : systemLogLines(deps, subject, { tail, since, after: 0 }),
  ]);
  return tail === 0 ? [] : mergeByTime(container, system).slice(-tail);
}

export async function containerLines(
  deps: LogDeps,
  subject: Subject,
  tail: number,
  since: number | null,
): Promise<ContainerLine[]> {
  const lines = await logOf(deps, subject, tail, since ?? undefined);
  return lines.map((line) => ({ type: "container", ...line }));
}

interface SystemLines extends Omit<LogRequest, "type"> {
  /** Only lines with a higher number. */
  after: number;
}

export async function systemLogLines(
  { store }: LogDeps,
  { id }: Subject,
  { tail, since, after }: SystemLines,
): Promise<SystemLogLine[]> {
  const found = await store.read(systemLines, id, { tail, since: since ?? 0, after });
  return found.map(({ n, at, line }) => ({ type: "system", at, text: line, n }));
}
