// What projects have used of GPUs, decayed, from the usages that are billed.

import { HOUR_MS } from "../../base/units.ts";
import { wholeGpus } from "../../domain/gpu-share/share-name.ts";
import {
  DEFAULT_HALF_LIFE_MS,
  type FoldedUse,
  type GroupInterval,
  useAt,
} from "../../domain/gpu-use/decay.ts";
import {
  DEFAULT_WEIGHT,
  expectedUse,
  type GroupShare,
  groupOf,
  idsOfGroup,
} from "../../domain/gpu-use/share-order.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  FOLDED_AT,
  type GpuUses,
  gpuUses,
  HALF_LIFE,
  saveFolded,
} from "../../store/gpu-use/gpu-use.ts";
import { gpusBeforeUse } from "../../store/pod/resources.ts";
import { projectsOfMembers, projectWeights } from "../../store/project/project.ts";
import { holdSetting, saveSetting } from "../../store/setting/setting.ts";

/** Ends that become known this late are still counted exactly. */
const LATE_MS = HOUR_MS;
const FOLD_MS = 15 * 60 * 1_000;
/** Held by what folds. */
const FOLDING = "gpu_use.folding";

interface Use {
  folded: FoldedUse;
  intervals: GroupInterval[];
  halfLifeMs: number;
}

type Used = GpuUses["since"][number];

/** `more` is added to the usages. */
function* readUse(now: number, more: readonly Used[] = []): Tx<Use> {
  const { foldedAt, halfLifeMs = DEFAULT_HALF_LIFE_MS, folded, ...uses } = yield* gpuUses(now);
  const since = [...uses.since, ...more];
  const owners = new Set(since.flatMap(({ ownerId }) => ownerId ?? []));
  const projects = yield* projectsOfMembers([...owners]);
  return {
    halfLifeMs,
    folded: {
      at: foldedAt,
      gpuMs: new Map(
        folded.map(({ accountId, projectId, gpuMs }) => [groupOf(accountId, projectId), gpuMs]),
      ),
    },
    intervals: since.map((usage) => intervalOf(usage, projects)),
  };
}

function intervalOf(
  { accountId, ownerId, gpuTypeId, gpus, from, to }: Used,
  projects: ReadonlyMap<string, string>,
): GroupInterval {
  const group = groupOf(accountId, projects.get(ownerId ?? "") ?? null);
  return { group, gpus: wholeGpus(gpuTypeId, gpus), from, to };
}

export interface UseShares {
  /** The use of each group, in GPU-milliseconds. */
  uses: ReadonlyMap<string, number>;
  halfLifeMs: number;
  of: (group: string) => GroupShare;
}

export function* readShares(now: number): Tx<UseShares> {
  const { folded, intervals, halfLifeMs } = yield* readUse(now);
  const uses = useAt(folded, intervals, now, halfLifeMs);
  return { uses, halfLifeMs, of: yield* weighted(uses) };
}

/** The shares by which requests take turns: a Pod that starts or has just started has had its turn, as if it had used its hour. */
export function* readTurns(now: number): Tx<UseShares["of"]> {
  const starting = (yield* gpusBeforeUse()).map((held) => ({ ...held, from: now, to: now }));
  const { folded, intervals, halfLifeMs } = yield* readUse(now, starting);
  const uses = useAt(folded, intervals, now, halfLifeMs);
  for (const { group, ...interval } of intervals.filter(({ to }) => to === now)) {
    uses.set(group, (uses.get(group) ?? 0) + expectedUse(interval));
  }
  return yield* weighted(uses);
}

function* weighted(uses: ReadonlyMap<string, number>): Tx<UseShares["of"]> {
  const weights = yield* projectWeights();
  return (group) => ({
    gpuMs: uses.get(group) ?? 0,
    weight: weights.get(idsOfGroup(group).projectId) ?? DEFAULT_WEIGHT,
  });
}

/**
 * Counts what was used as one number for each project, so that the usages of about the last hour suffice to read a use. The half-life is
 * stored, so that all replicas decay by the same one.
 */
export function* foldUse(configuredMs: number, now: number): Tx<void> {
  yield* holdSetting(FOLDING);
  const { folded, intervals, halfLifeMs } = yield* readUse(now);
  if (halfLifeMs !== configuredMs) yield* saveSetting(HALF_LIFE, String(configuredMs));
  const at = now - LATE_MS;
  // If the clock was set back, the uses go on from here: what is used before `folded.at` would not count.
  if (folded.at <= now && at - folded.at < FOLD_MS) return;
  const before = intervals.filter(({ from }) => from < at);
  const uses = useAt(folded, before, at, halfLifeMs);
  yield* saveFolded([...uses].map(([group, gpuMs]) => ({ ...idsOfGroup(group), gpuMs })));
  yield* saveSetting(FOLDED_AT, String(at));
}
