// Admits as many held jobs of a rate limit as the pace of its key allows.

import { admitAtRate, paceOf, type RateLimit } from "../../../domain/job/schedule/rate-limit.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import {
  countHeldByRate,
  deleteRate,
  lockRate,
  setAdmittedAtRate,
  setRate,
} from "../../../store/job/schedule/rate-limit.ts";
import { publishAdmitted } from "./publish-admitted.ts";
import type { Touch } from "./touches.ts";

/** How many jobs of a key are admitted at once; the rest follow in the next batch. */
const MAX_ADMITTED = 200;
/** How long the row of a key without held jobs is kept after its pace is used up: most keys come again. */
const KEEP_MS = 60_000;

export function* admitByRate({ endpointId, limit, newest, now }: Touch<RateLimit>): Tx<void> {
  const name = { endpointId, key: limit.key };
  const { pace, nextUs } = yield* lockRate(name, { pace: paceOf(limit), newest, now });
  const held = yield* countHeldByRate(name, MAX_ADMITTED + 1);
  const endsAt = Math.ceil(nextUs / 1_000);
  if (held === 0 && endsAt <= now) return yield* deleteRate(name);
  const wanted = Math.min(held, MAX_ADMITTED);
  const { admitted } = admitAtRate(pace, { nextUs, held: wanted }, now);
  const jobs = admitted > 0 ? yield* setAdmittedAtRate(name, admitted, now) : [];
  const used = admitAtRate(pace, { nextUs, held: jobs.length }, now);
  const left = held - jobs.length;
  // A job that another transaction has locked is looked at again at once.
  const dueAt = left > 0 ? Math.max(now, used.readyAt) : Math.ceil(used.nextUs / 1_000) + KEEP_MS;
  yield* setRate(name, { nextUs: used.nextUs, dueAt });
  yield* publishAdmitted(endpointId, jobs, now);
  if (left > 0) yield* notify(topic.delays);
}
