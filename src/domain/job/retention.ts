// How long an ended job is kept: what its endpoint says, else the default of its kind of request.

import type { Protocol } from "../protocol.ts";
import type { EndedJob } from "./job.ts";

type Defaults = Pick<Protocol, "keepAsyncMs" | "keepSyncMs" | "keepSyncWaitMs">;
export type RetentionBounds = Pick<Protocol, "keepMinMs" | "keepMaxMs">;

/** What an endpoint says about how long its ended jobs are kept; 0 for the default. */
interface Settings {
  resultRetentionMs: number;
  failureRetentionMs: number;
}

/** Until when a failed job is kept, counted from its end; clients of the queue see it for its retention only. */
export function decideArchive(
  { finishedAt }: Pick<EndedJob, "finishedAt">,
  { deadLetterRetentionMs }: { deadLetterRetentionMs: number },
): number {
  return finishedAt + deadLetterRetentionMs;
}

interface Retention {
  keepMs: number;
  failureKeepMs: number;
}

/** `hasWait` is true for a runsync request that says how long to wait. */
export function decideRetention(
  protocol: Defaults & RetentionBounds,
  settings: Settings,
  { sync, hasWait }: { sync: boolean; hasWait: boolean },
): Retention {
  const syncMs = hasWait ? protocol.keepSyncWaitMs : protocol.keepSyncMs;
  const defaultMs = sync ? syncMs : protocol.keepAsyncMs;
  // The operator may have narrowed the bounds since the endpoint was saved.
  const within = (ms: number) => Math.max(protocol.keepMinMs, Math.min(protocol.keepMaxMs, ms));
  const chosen = (ms: number) => (ms === 0 ? defaultMs : within(ms));
  return {
    keepMs: chosen(settings.resultRetentionMs),
    failureKeepMs: chosen(settings.failureRetentionMs),
  };
}

/** A sentence for each setting that is out of bounds. */
export function retentionErrors(
  { keepMinMs, keepMaxMs }: RetentionBounds,
  settings: Partial<Settings>,
): string[] {
  const { resultRetentionMs, failureRetentionMs } = settings;
  return Object.entries({ resultRetentionMs, failureRetentionMs }).flatMap(([name, ms]) => {
    if (ms === undefined || ms === 0 || (ms >= keepMinMs && ms <= keepMaxMs)) return [];
    return [
      `"${name}" is ${ms} and must be 0 for the default, or between ${keepMinMs} and ${keepMaxMs} milliseconds.`,
    ];
  });
}
