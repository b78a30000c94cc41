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
import type { Sample } from "../../domain/usage/sample.ts";
import type { Traffic } from "../../flows/replica/traffic.ts";
import type { Store } from "../../store/engine/store.ts";
import { recordIdle, stopIdle, warnIdle } from "../../transactions/pod/idle.ts";

/** What the last measurement of a Pod left. */
interface Watched {
  at: number;
  ticks: number;
  /** Another container, or another rule, begins again. */
  generation: number;
  rule: IdleRule;
  networkBytes: number;
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

/** Between two measurements that follow one another. */
const MAX_GAP_MS = 60_000;

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

  /** `cpus` are those that the sample's share is of. */
  async observe(pod: Pod, sample: Sample, cpus: number): Promise<void> {
    const policy = idlePolicyOf(pod);
    if (policy === null || !isUp(pod)) {
      this.#watched.delete(pod.id);
      return;
    }
    const { rule } = policy;
    const { clock, traffic } = this.#deps;
    const { generation } = pod.desired;
    const networkBytes = bytesOf(sample) ?? traffic.bytesOf(pod.id);
    const hasInput = traffic.takeInput(pod.id);
    const measured = { at: clock.now(), ticks: clock.ticks(), generation, rule, networkBytes };
    const before = this.#watched.get(pod.id);
    const isNext = before !== undefined && follows(before, measured, clock);
    const activity = { sample, cpus, gpuCount: pod.placement.gpus.length, hasInput };
    const quiet = isNext ? quietAfter(before, { ...measured, ...activity }) : null;
    this.#watched.set(pod.id, { ...measured, quiet });
    if (pod.idleSince === null || pod.idleSince <= measured.at)
      await this.#decide(policy, pod, quiet, measured.at);
    // A pass that failed is not the last one that looked for warnings.
    if (quiet) quiet.warnedUntil = pod.idleSince === null ? quiet.since : measured.at;
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

/**
 * Whether one measurement comes next after another: of the same container, by the same rule, and without a time between
 * them in which the machine slept, its clock was set, or nothing was measured. A clock that tests move skips nothing.
 */
function follows(before: Watched, now: Omit<Watched, "quiet">, clock: Clock): boolean {
  if (before.generation !== now.generation || !isDeepStrictEqual(before.rule, now.rule))
    return false;
  const gapMs = now.ticks - before.ticks;
  const skippedMs = Math.abs(now.at - before.at - gapMs);
  return skippedMs <= MAX_GAP_MS && (gapMs <= MAX_GAP_MS || clock.jumpedTo !== undefined);
}

type Measured = Omit<Watched, "quiet"> & {
  sample: Sample;
  cpus: number;
  gpuCount: number;
  hasInput: boolean;
};

function quietAfter(before: Watched, measured: Measured): Quiet | null {
  const { rule, sample, cpus, networkBytes } = measured;
  // The counters of a new container start at zero.
  const counted = networkBytes < before.networkBytes ? 0 : before.networkBytes;
  const ms = measured.ticks - before.ticks;
  const use = useOf(rule, { ...measured, ms, networkBytes: networkBytes - counted });
  if (use !== "idle") return null;
  const { since, peak, warnedUntil } = before.quiet ?? quietFrom(before.at);
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

const bytesOf = ({ receivedBytes, sentBytes }: Sample) =>
  receivedBytes === null || sentBytes === null ? null : receivedBytes + sentBytes;
