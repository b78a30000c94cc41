// What `why` can look at, and how it reads the end of a worker's log.

import type { Clock } from "../../base/clock.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import type { WorkerEnding } from "../../domain/why/answer.ts";
import { asEndCause, type EndCause } from "../../domain/worker/end-cause.ts";
import type { Store } from "../../store/store.ts";
import type { WorkerRow } from "../../store/worker/worker.ts";
import type { StartRules } from "../endpoint/cannot-use.ts";
import { type LogSources, logOf } from "../log/source.ts";

export interface WhyDeps extends StartRules, LogSources {
  store: Store;
  clock: Clock;
  protocol: Protocol;
  rhythm: Rhythm;
  catalog: Catalog;
}

const LINES = 20;
const LONGEST_LINE = 500;

/** The last lines a worker printed; none where its machine does not answer or has forgotten it. */
export async function lastLines(
  deps: WhyDeps,
  worker: Pick<WorkerRow, "id" | "machine">,
): Promise<string[]> {
  const lines = await logOf(deps, worker, LINES).catch(() => []);
  return lines.map(({ text }) => text.slice(0, LONGEST_LINE));
}

/** The cause of an end, where it is certain. */
export function known(text: string | null): { cause?: EndCause } {
  const cause = asEndCause(text);
  return cause === null ? {} : { cause };
}

/** How a worker ended; only of one that has. */
export function endingOf(worker: WorkerRow): WorkerEnding {
  return {
    workerId: worker.id,
    endedAt: worker.ended_at!,
    exitCode: worker.exit_code,
    signal: worker.signal,
    ...known(worker.end_cause),
    unhealthy: worker.unhealthy,
  };
}
