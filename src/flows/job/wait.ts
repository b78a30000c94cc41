// Waits for a job to end, for a bounded time; the answer is the job as it stands then. A store that
// goes away meanwhile is waited for as well.

import type { Clock } from "../../base/clock.ts";
import { isTerminal } from "../../domain/job/moves.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";
import { topic } from "../../store/wakes.ts";
import { patiently } from "../store-away.ts";
import { find } from "./find.ts";

/** Without a wake-up the job is looked at again after this long: a wake-up may be lost. */
const LOOK_AGAIN_MS = 5_000;

export async function waitForEnd(
  deps: { store: Store; clock: Clock },
  job: { endpointId: string; id: string },
  waitMs: number,
  signal: AbortSignal,
): Promise<JobRow> {
  const until = deps.clock.now() + waitMs;
  const bell = deps.store.wakes.hang(topic.job(job.id));
  try {
    for (;;) {
      const found = await patiently({ clock: deps.clock, until, gone: () => signal }, () =>
        find(deps, job.endpointId, job.id),
      );
      const leftMs = until - deps.clock.now();
      if (isTerminal(found.state) || leftMs <= 0 || signal.aborted) return found;
      await bell.wait(deps.clock, Math.min(leftMs, LOOK_AGAIN_MS), signal);
    }
  } finally {
    bell.close();
  }
}
