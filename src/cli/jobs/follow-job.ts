// Follows a job to its end: by its result, or by each part of its output as it comes.

import { pause, systemClock } from "../../base/clock.ts";
import { parseExact } from "../../base/json/exact.ts";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { AnswerOf } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { askForText } from "../client/service-request.ts";

export interface JobAddress {
  endpointId: string;
  id: string;
}

type QueueJob = AnswerOf<"GET /v2/{endpointId}/status/{jobId}">;
type Stream = Extract<AnswerOf<"GET /v2/{endpointId}/stream/{jobId}">, { stream: unknown }>;

/** How long one request waits, and so how old the state is that a person sees. */
const WAIT_MS = 5_000;
/** A service that restarts is back within this time. */
const RECONNECTIONS = 30;

export interface Following {
  /** In milliseconds since the start of the process' clock; null for no limit. */
  deadline: number | null;
  /** Called with each state. */
  observe: (status: string) => void;
}

export async function followToEnd(
  service: RunningService,
  job: JobAddress,
  following: Following,
): Promise<QueueJob> {
  for (;;) {
    const wait = waitWithin(job, following);
    const path = `${pathFor(job, "status-sync")}?wait=${wait}`;
    const answer = (await read(service, path)) as QueueJob;
    following.observe(answer.status);
    if (isTerminal(answer.status)) return answer;
  }
}

/** Yields each part of the output once, and returns the job at its end. */
export async function* followOutput(
  service: RunningService,
  job: JobAddress,
  following: Following,
): AsyncGenerator<unknown, QueueJob> {
  for (let from = 0; ; ) {
    const wait = waitWithin(job, following);
    const path = `${pathFor(job, "stream")}?format=envelope&from=${from}&wait=${wait}`;
    const { status, stream } = (await read(service, path)) as Stream;
    following.observe(status);
    for (const { output } of stream) yield output;
    from += stream.length;
    if (isTerminal(status) && stream.length === 0) break;
  }
  return (await read(service, pathFor(job, "status"))) as QueueJob;
}

/** Throws Refusal unless the job completed. */
export function requireCompleted({ id, status, error }: QueueJob): void {
  if (status === "COMPLETED") return;
  const reason = error === undefined ? "" : `: ${sentenceOf(error)}`;
  throw new Refusal(`job ${id} ended as ${status}${reason}`, exitCodes.unsuccessful);
}

/** SDKs post errors as JSON with a type, a message and a trace. */
function sentenceOf(error: string): string {
  try {
    const { error_type: type, error_message: message, error_traceback: trace } = JSON.parse(error);
    if (typeof message !== "string") return error;
    return [typeof type === "string" ? `${type}: ${message}` : message, trace]
      .filter((part) => typeof part === "string")
      .join("\n");
  } catch {
    return error;
  }
}

function waitWithin({ id }: JobAddress, { deadline }: Following): number {
  if (deadline === null) return WAIT_MS;
  const left = deadline - systemClock.ticks();
  if (left > 0) return Math.max(1_000, Math.min(WAIT_MS, left));
  const sentence = `job ${id} has not ended; it continues, and \`freehold wait ${id}\` waits for it`;
  throw new Refusal(sentence, exitCodes.timedOut);
}

/** Repeats a read while the service restarts. */
async function read(service: RunningService, path: string): Promise<unknown> {
  for (let n = 0; ; n++) {
    try {
      return parseExact(await askForText(service, "GET", path));
    } catch (error) {
      const isPassing = error instanceof Refusal && error.exitCode === exitCodes.unreachable;
      if (!isPassing || n === RECONNECTIONS) throw error;
      await pause(systemClock, 1_000);
    }
  }
}

const pathFor = ({ endpointId, id }: JobAddress, operation: string) =>
  `/v2/${encodeURIComponent(endpointId)}/${operation}/${encodeURIComponent(id)}`;
