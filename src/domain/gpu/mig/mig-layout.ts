// Changes of the MIG layout of GPUs that an operator requested: what each is to become, and how that ended. Pure.

import { isSameLayout } from "./mig-profiles.ts";

export interface MigChangeResult {
  outcome: "set" | "refused" | "cancelled";
  text: string;
}

/** How a GPU is divided. */
export interface MigDivision {
  isEnabled: boolean;
  /** The profiles of its GPU instances. */
  instances: readonly string[];
  /** The profiles of its compute instances. */
  devices: readonly string[];
}

export const isSameDivision = (a: MigDivision, b: MigDivision): boolean =>
  a.isEnabled === b.isEnabled &&
  isSameLayout(a.instances, b.instances) &&
  isSameLayout(a.devices, b.devices);

/** A compute instance that is smaller than its GPU instance, such as "1c.3g.40gb". */
const isPart = (profile: string) => /^\d+c\./.test(profile);

/** Whether a GPU has these MIG devices, each a whole GPU instance. */
export const isWholeLayout = (
  { isEnabled, instances, devices }: MigDivision,
  profiles: readonly string[],
): boolean =>
  isEnabled &&
  devices.length === instances.length &&
  !devices.some(isPart) &&
  isSameLayout(instances, profiles);

export interface MigChange {
  /** The profiles of its MIG devices, such as "1g.10gb"; null for a GPU without MIG mode. */
  profiles: readonly string[] | null;
  requestedAt: number;
  /** How the GPU was divided before; absent until the change begins. */
  earlier?: MigDivision;
  /** True if no one requested it: it puts back what was set before. */
  isRestore?: true;
  /** Null until it has ended. */
  result: (MigChangeResult & { at: number }) | null;
  /** False until the GPU was read after the change: what is recorded of it before is its layout of before. */
  isRead: boolean;
}

/** Why a layout is not put back: something uses the GPU, or the driver refuses it. */
export type RestoreObstacle = "used" | "refused";

/** The last change of each GPU, by UUID. */
export interface MigChanges {
  migChanges?: Readonly<Record<string, MigChange>>;
  /** What the last event says of layouts that are not put back, by UUID. */
  restoreObstacles?: Readonly<Record<string, RestoreObstacle>>;
  /** The profiles that were set last, by UUID; what a GPU is to have, also after a restart of its machine. */
  migLayouts?: Readonly<Record<string, readonly string[]>>;
}

/** What is requested, by UUID. */
export type MigLayouts = Readonly<Record<string, readonly string[] | null>>;

/** The record with changes that are to be made. */
export function requestMigLayouts<Of extends MigChanges>(
  before: Of,
  layouts: MigLayouts,
  requestedAt: number,
): Of {
  const added = Object.entries(layouts).map(([uuid, profiles]): [string, MigChange] => {
    return [uuid, { profiles, requestedAt, result: null, isRead: false }];
  });
  return { ...before, migChanges: { ...before.migChanges, ...Object.fromEntries(added) } };
}

/** The record with changes that put layouts back. */
export function requestRestores<Of extends MigChanges>(
  before: Of,
  layouts: MigLayouts,
  requestedAt: number,
): Of {
  const { migChanges = {}, ...rest } = requestMigLayouts(before, layouts, requestedAt);
  const marked = Object.keys(layouts).map((uuid): [string, MigChange] => {
    return [uuid, { ...migChanges[uuid]!, isRestore: true }];
  });
  return { ...before, ...rest, migChanges: { ...migChanges, ...Object.fromEntries(marked) } };
}

/** The UUIDs of the GPUs whose layout is unknown until a change has ended and they were read again. */
export const changingGpus = ({ migChanges = {} }: MigChanges): string[] =>
  Object.keys(migChanges).filter((uuid) => !migChanges[uuid]!.isRead);

/** The changes that have not ended. */
export const requestedChanges = ({ migChanges = {} }: MigChanges): [string, MigChange][] =>
  Object.entries(migChanges).filter(([, { result }]) => result === null);

/** The UUIDs of the GPUs that are to be read before they get new workloads again. */
export const unreadChanges = ({ migChanges = {} }: MigChanges): string[] =>
  Object.entries(migChanges).flatMap(([uuid, { result, isRead }]) =>
    result !== null && !isRead ? [uuid] : [],
  );

const isPending = (change: MigChange | undefined, requestedAt: number): change is MigChange =>
  change?.result === null && change.requestedAt === requestedAt;

/** The record of a change that begins; null if it has ended, or if another one took its place. */
export function beginMigChange<Of extends MigChanges>(
  before: Of,
  uuid: string,
  { requestedAt }: MigChange,
  earlier: MigDivision,
): Of | null {
  const change = before.migChanges?.[uuid];
  if (!isPending(change, requestedAt)) return null;
  return { ...before, migChanges: { ...before.migChanges, [uuid]: { ...change, earlier } } };
}

/** Whether a change waits that has changed nothing of its GPU yet. */
export const isWaitingChange = ({ result, earlier }: MigChange): boolean =>
  result === null && earlier === undefined;

/**
 * The record without a change that has not begun: its GPU is as it was. One that puts a layout back would be requested with
 * the next reading, so that the GPU may keep the division that it has.
 */
export function cancelMigChange<Of extends MigChanges>(record: Of, uuid: string, at: number): Of {
  const change = record.migChanges?.[uuid];
  if (!change || !isWaitingChange(change)) return record;
  const before = change.isRestore ? forgetLayouts(record, [uuid]) : record;
  const result = { outcome: "cancelled" as const, text: "it was cancelled before it began", at };
  const cancelled: MigChange = { ...change, result, isRead: true };
  return { ...before, migChanges: { ...before.migChanges, [uuid]: cancelled } };
}

/** What a change has reached that keeps its GPU out of placement. */
export function changeText(change: MigChange): string {
  if (change.result !== null) return "its MIG layout was changed, and it was not read since";
  if (!isWaitingChange(change)) return "its MIG layout is being changed";
  const at = new Date(change.requestedAt).toISOString();
  return `a change of its MIG layout was requested at ${at} and has not begun`;
}

/** A change of which another one took the place stays as it is. */
export function endMigChange<Of extends MigChanges>(
  before: Of,
  uuid: string,
  { requestedAt }: MigChange,
  result: MigChangeResult & { at: number },
): Of {
  const change = before.migChanges?.[uuid];
  if (!isPending(change, requestedAt)) return before;
  const migChanges = { ...before.migChanges, [uuid]: { ...change, result } };
  if (result.outcome !== "set") return { ...before, migChanges };
  const { migLayouts: others, ...after } = forgetLayouts(before, [uuid]);
  const isDivided = change.profiles !== null && change.profiles.length > 0;
  const migLayouts = isDivided ? { ...others, [uuid]: change.profiles! } : others;
  return { ...before, ...after, migChanges, migLayouts };
}

/** The record in which these GPUs may keep the division that they have. */
export function forgetLayouts<Of extends MigChanges>(before: Of, uuids: readonly string[]): Of {
  const { migLayouts } = before;
  return { ...withoutObstacles(before, uuids), migLayouts: withoutKeys(migLayouts, uuids) };
}

/** The record after layouts were put back. */
export function withoutObstacles<Of extends MigChanges>(before: Of, uuids: readonly string[]): Of {
  return { ...before, restoreObstacles: withoutKeys(before.restoreObstacles, uuids) };
}

const withoutKeys = <Value>(
  all: Readonly<Record<string, Value>> = {},
  keys: readonly string[],
): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));

/** The record after GPUs were read whose changes had ended before. */
export function withReadChanges<Of extends MigChanges>(before: Of, uuids: readonly string[]): Of {
  const all = Object.entries(before.migChanges ?? {});
  const after = all.map(([uuid, change]) => {
    const isRead = change.isRead || (change.result !== null && uuids.includes(uuid));
    return [uuid, { ...change, isRead }];
  });
  return { ...before, migChanges: Object.fromEntries(after) };
}
