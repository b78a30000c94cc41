// Pods whose maximum lifetime ends soon.

import { MINUTE_MS } from "../../base/units.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { WARNED_BEFORE_MS } from "../../domain/usage/lifetime.ts";
import { row, type Tx } from "../engine/statement.ts";
import { FIRST_MAX_MINUTES } from "./columns.ts";
import { podsWhere } from "./read.ts";

const LIMITED = "pod.state = 'RUNNING' and pod.sandbox = 0 and pod.running_since is not null";
const FIRST_END = `pod.running_since + ${MINUTE_MS} * ${FIRST_MAX_MINUTES}`;

/**
 * Running Pods whose maximum ends soon or did, extended ones among them, and those that were warned, whose maximum may be
 * gone; and when the next one is to be looked at.
 */
export function* endingPods(now: number): Tx<{ pods: Pod[]; nextAt: number | null }> {
  const soon = now + WARNED_BEFORE_MS;
  const ending = yield* podsWhere(
    `${LIMITED}
       and (${FIRST_END} <= ? or pod.lifetime_warning is not null) order by id`,
    soon,
  );
  const next = yield* row<{ at: number | null }>(
    `select min(${FIRST_END}) as at from pod where ${LIMITED} and ${FIRST_END} > ?`,
    soon,
  );
  const at = next?.at ?? null;
  return { pods: ending, nextAt: at === null ? null : at - WARNED_BEFORE_MS };
}
