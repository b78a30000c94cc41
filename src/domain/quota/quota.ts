// What an account, or a project or member of it, may hold at once, and what it holds. What is desired counts, whether or not it runs yet.

import { type Facts, Fault } from "../fault.ts";

const measures = ["gpus", "reservedGpus", "pods", "vcpus", "volumeGb", "rate"] as const;
export type Measure = (typeof measures)[number];

/**
 * What is held. `rate` is in micro-dollars per hour, at prices without savings plans. `reservedGpus` is the most that is reserved
 * at one time, so that the peaks of several holders do not add up to that of all.
 */
export interface QuotaHolding extends Record<Measure, number> {
  /** GPUs by type. */
  gpuTypes: Readonly<Record<string, number>>;
}

/** What something adds: one GPU type at the most. */
export interface Addition extends Partial<Record<Measure, number>> {
  gpuTypeId?: string | null;
}

/** A limit that is absent is not set here, and null is no limit. */
export interface Quota extends Partial<Record<Measure, number | null>> {
  gpuTypes?: Readonly<Record<string, number | null>>;
}

/** A change of a quota: a value that is undefined removes what is set. */
export interface QuotaChanges extends Partial<Record<Measure, number | null | undefined>> {
  gpuTypes?: Readonly<Record<string, number | null | undefined>>;
}

export const nothingHeld: QuotaHolding = {
  gpus: 0,
  reservedGpus: 0,
  pods: 0,
  vcpus: 0,
  volumeGb: 0,
  rate: 0,
  gpuTypes: {},
};

export function sumOf(all: readonly QuotaHolding[]): QuotaHolding {
  return all.reduce((sum, each) => {
    const gpuTypes = { ...sum.gpuTypes };
    for (const [id, count] of Object.entries(each.gpuTypes)) {
      gpuTypes[id] = (gpuTypes[id] ?? 0) + count;
    }
    const added = measures.map((measure) => [measure, sum[measure] + each[measure]]);
    return { ...(Object.fromEntries(added) as Record<Measure, number>), gpuTypes };
  }, nothingHeld);
}

/** The quota of a member: what is set for the member comes before the default. */
export function effectiveQuota(own: Quota, standard: Quota): Quota {
  return { ...standard, ...own, gpuTypes: { ...standard.gpuTypes, ...own.gpuTypes } };
}

export function changedQuota(before: Quota, changes: QuotaChanges): Quota {
  const { gpuTypes = {}, ...limits } = changes;
  const types = withoutUndefined({ ...before.gpuTypes, ...gpuTypes });
  return { ...withoutUndefined({ ...before, ...limits }), gpuTypes: types };
}

function withoutUndefined<Value>(all: Readonly<Record<string, Value | undefined>>) {
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, Value>;
}

export function hasLimits({ gpuTypes = {}, ...quota }: Quota): boolean {
  return [...Object.values(quota), ...Object.values(gpuTypes)].some(
    (limit) => typeof limit === "number",
  );
}

/** A limit that would be or is exceeded. */
interface Excess {
  held: number;
  limit: number;
  added: number;
  measure: Measure;
  /** The GPU type that it counts; null for all. */
  gpuTypeId: string | null;
  /** In micro-dollars, or in these units. */
  unit: "micro-dollars" | string;
}

/** The account, a project, or a member: the name is null for the caller. */
export type Holder =
  | { kind: "account" }
  | { kind: "project"; name: string }
  | { kind: "member"; name: string | null };

/** A limit that refused an addition: whose it is, and what it counts. */
export interface ExceededLimit extends Pick<Excess, "measure" | "gpuTypeId"> {
  of: Holder["kind"];
}

/** A refusal by a quota. */
export class QuotaFault extends Fault {
  readonly limit: ExceededLimit;
  /** Whether nothing that is freed makes room for the addition. */
  readonly neverFits: boolean;

  constructor(facts: Facts, limit: ExceededLimit, neverFits: boolean) {
    super("quota_exceeded", facts);
    this.limit = limit;
    this.neverFits = neverFits;
  }
}

/** The refusal of an addition that would exceed the quota; null if it fits. What it does not add to may be exceeded. */
export function refuseAddition(
  holder: Holder,
  quota: Quota,
  holding: QuotaHolding,
  addition: Addition,
): QuotaFault | null {
  const exceeded = excesses(quota, holding, addition).filter(({ added }) => added > 0);
  const excess = exceeded.find(neverFits) ?? exceeded[0];
  if (!excess) return null;
  const held = `${holderText(holder)} ${heldText(excess)}`;
  const by = holder.kind === "account" ? "the operator" : "an admin of the account";
  const remedy = remedyFor(excess);
  const advice = `${remedy ? `${remedy}, or ask` : "Ask"} ${by} to raise the limit`;
  const { measure, gpuTypeId } = excess;
  const limit = { of: holder.kind, measure, gpuTypeId };
  return new QuotaFault({ held, added: addedText(excess), advice }, limit, neverFits(excess));
}

/** Whether the addition alone exceeds the limit, so that nothing that is freed makes room for it. */
const neverFits = ({ added, limit }: Excess) => added > limit;

function remedyFor(excess: Excess): string | null {
  const { limit, unit } = excess;
  if (!neverFits(excess)) return remedies[excess.measure] ?? "Stop a Pod";
  const units = limit === 1 ? unit.replace(/s(?= of|$)/, "") : unit;
  return limit > 0 ? `Request at most ${limitText({ limit, unit: units })}` : null;
}

const remedies: Partial<Record<Measure, string>> = {
  volumeGb: "Delete a volume",
  reservedGpus: "Cancel a reservation, choose another time",
};

function holderText(holder: Holder): string {
  if (holder.kind === "account") return "The account holds";
  if (holder.kind === "project") return `The project "${holder.name}" holds`;
  return holder.name === null ? "You hold" : `${holder.name} holds`;
}

/** What is held beyond the quota, such as "7 of 4 GPUs". */
export function overQuota(quota: Quota, holding: QuotaHolding): string[] {
  return excesses(quota, holding, {}).map(heldText);
}

/** The GPU types of which no further `count` fits. */
export function exhaustedTypes({ gpuTypes = {} }: Quota, holding: QuotaHolding, count: number) {
  return Object.entries(gpuTypes).flatMap(([id, limit]) =>
    limit !== null && (holding.gpuTypes[id] ?? 0) + count > limit ? [id] : [],
  );
}

/** The GPU types of which `count` never fit, whatever is freed. */
export const ruledOutTypes = (quota: Quota, count: number) =>
  exhaustedTypes(quota, nothingHeld, count);

function excesses(quota: Quota, holding: QuotaHolding, addition: Addition): Excess[] {
  const found: Excess[] = measures.map((measure) => ({
    held: holding[measure],
    limit: quota[measure] ?? Number.POSITIVE_INFINITY,
    added: addition[measure] ?? 0,
    measure,
    gpuTypeId: null,
    unit: units[measure],
  }));
  const types = Object.entries(quota.gpuTypes ?? {}).map(
    ([id, limit]): Excess => ({
      held: holding.gpuTypes[id] ?? 0,
      limit: limit ?? Number.POSITIVE_INFINITY,
      added: addition.gpuTypeId === id ? (addition.gpus ?? 0) : 0,
      measure: "gpus",
      gpuTypeId: id,
      unit: `GPUs of type ${id}`,
    }),
  );
  return [...found, ...types].filter(({ held, added, limit }) => held + added > limit);
}

const units: Record<Measure, Excess["unit"]> = {
  gpus: "GPUs",
  reservedGpus: "reserved GPUs",
  pods: "running Pods",
  vcpus: "vCPUs",
  volumeGb: "GB of volumes",
  rate: "micro-dollars",
};

function heldText({ held, limit, unit }: Excess): string {
  const amount = unit === "micro-dollars" ? dollarsText(held) : held;
  return `${amount} of ${limitText({ limit, unit })}`;
}

function limitText({ limit, unit }: Pick<Excess, "limit" | "unit">): string {
  return unit === "micro-dollars" ? `${dollarsText(limit)} dollars per hour` : `${limit} ${unit}`;
}

const addedText = ({ added, unit }: Excess) =>
  unit === "micro-dollars" ? dollarsText(added) : added;

const dollarsText = (micros: number) => String(Math.round(micros) / 1_000_000);
