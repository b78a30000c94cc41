// Finds Pods that are not used, warns of their stop and stops them, after each measurement of a machine. A time that was
// not measured never counts as idle.

import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../base/clock.ts";
import { isUp, type Pod } from "../../domain/pod/pod.ts";
import {
  dueWarning,
  type IdleRule,
  idleStopAt,
  idleText,
  ofOneCpu,
  useOf,
} from "../../domain/usage/idle.ts";
import { type IdlePolicy, idlePolicyOf } from "../../domain/usage/idle-policy.ts";
import type { Traffic } from "../../flows/replica/traffic.ts";
import type { Store } from "../../store/engine/store.ts";
import { recordIdle, stopIdle, warnIdle } from "../../transactions/pod/idle.ts";
import { activityBetween, follows, type Measurement } from "./measurement.ts";

/** What the last measurement of a Pod left. */
interface Watched {
  measurement: Measurement;
  /** Another rule begins again. */
  rule: IdleRule;
  /** Null if it was not idle. */
  quiet: Quiet | null;
}

/** A time in which every measurement was idle. */
interface Quiet {
  since: number;
  /** The largest use. */
  peak: { gpu: number | null; cpu: number };
  /** Until when warnings were looked for. */
  warnedUntil: number;
}

/** A Pod that is used now and then is not written down each time. */
const RECORDED_AFTER_MS = 60_000;

interface IdleDeps {
  store: Store;
  clock: Clock;
  traffic: Traffic;
}

export class IdlePods {
  readonly #deps: IdleDeps;
  readonly #watched = new Map<string, Watched>();

  constructor(deps: IdleDeps) {
    this.#deps = deps;
  }

  /** Forgets Pods that are gone. */
  keep(ids: ReadonlySet<string>): void {
    this.#deps.traffic.keep(ids);
    for (const id of this.#watched.keys()) if (!ids.has(id)) this.#watched.delete(id);
  }

  /** After a measurement that failed. */
  clear(): void {
    this.#watched.clear();
  }

  async observe(pod: Pod, now: Measurement): Promise<void> {
    const policy = idlePolicyOf(pod);
    if (policy === null || !isUp(pod)) {
      this.#watched.delete(pod.id);
      return;
    }
    const { rule } = policy;
    const before = this.#watched.get(pod.id);
    const isNext =
      before !== undefined &&
      isDeepStrictEqual(before.rule, rule) &&
      follows(before.measurement, now, this.#deps.clock);
    const quiet = isNext ? quietAfter(before, now) : null;
    this.#watched.set(pod.id, { measurement: now, rule, quiet });
    if (pod.idleSince === null || pod.idleSince <= now.at)
      await this.#decide(policy, pod, quiet, now.at);
    // A pass that failed is not the last one that looked for warnings.
    if (quiet) quiet.warnedUntil = pod.idleSince === null ? quiet.since : now.at;
  }

  async #decide(policy: IdlePolicy, pod: Pod, quiet: Quiet | null, now: number): Promise<void> {
    const { rule } = policy;
    const { store, traffic } = this.#deps;
    const { idleSince } = pod;
    if (quiet === null) {
      if (idleSince !== null) await store.write(recordIdle, pod, null);
    } else if (idleSince === null) {
      if (now - quiet.since >= RECORDED_AFTER_MS) await store.write(recordIdle, pod, quiet.since);
    } else if (idleStopAt(rule, idleSince) <= now) {
      await store.write(stopIdle, pod, idleText(policy, now - idleSince, quiet.peak), now);
    } else {
      const left = dueWarning(rule, idleSince, { before: quiet.warnedUntil, now });
      if (left === null) return;
      const said = await store.write(warnIdle, pod, left, now);
      if (said !== null) traffic.say(pod.id, said);
    }
  }
}

function quietAfter({ measurement, rule, quiet }: Watched, now: Measurement): Quiet | null {
  if (useOf(rule, activityBetween(measurement, now)) !== "idle") return null;
  const { since, peak, warnedUntil } = quiet ?? quietFrom(measurement.at);
  const { sample, cpus } = now;
  const loads = sample.gpus.map(({ gpuUtilPercent }) => gpuUtilPercent);
  return {
    since,
    warnedUntil,
    peak: {
      gpu: loads.length === 0 ? peak.gpu : Math.max(peak.gpu ?? 0, ...loads),
      cpu: Math.max(peak.cpu, ofOneCpu(sample, cpus) ?? 0),
    },
  };
}

const quietFrom = (at: number): Quiet => ({
  since: at,
  peak: { gpu: null, cpu: 0 },
  warnedUntil: at,
});
