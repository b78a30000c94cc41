// What the owner of a request in line holds of the GPUs that it waits for, and what the owner's project holds and borrows. Pure.

import type { Quota, QuotaHolding } from "../quota/quota.ts";
import type { Guarantee } from "./guarantee.ts";

/** GPUs that are held, and the limit that counts them. */
export interface HeldGpus {
  /** The type that is counted; null for all types together. */
  gpuTypeId: string | null;
  held: number;
  /** Null for no limit. */
  limit: number | null;
}

export interface ProjectStanding extends HeldGpus {
  name: string;
  guaranteed: number;
  /** GPUs beyond the guarantee, if any project is guaranteed some of the type. */
  borrowed: number;
}

export interface GuaranteeStanding extends HeldGpus {
  project: ProjectStanding | null;
}

interface StandingFacts {
  /** The GPU types that the request accepts; empty for all. */
  accepted: readonly string[];
  own: { quota: Quota; holding: QuotaHolding };
  project: { id: string; name: string; quota: Quota; holding: QuotaHolding } | null;
  /** The guarantees of all projects. */
  guarantees: readonly Guarantee[];
}

export function standingOf({
  accepted,
  own,
  project,
  guarantees,
}: StandingFacts): GuaranteeStanding {
  const gpuTypeId = accepted.length === 1 ? accepted[0]! : null;
  const heldOwn = heldGpus(own, gpuTypeId);
  if (!project) return { ...heldOwn, project: null };
  const counts = (id: string) => accepted.length === 0 || accepted.includes(id);
  const concerned = guarantees.filter((each) => counts(each.gpuTypeId));
  const its = new Map(
    concerned
      .filter(({ projectId }) => projectId === project.id)
      .map((each) => [each.gpuTypeId, each.gpuCount]),
  );
  const guaranteedTypes = [...new Set(concerned.map((each) => each.gpuTypeId))];
  const beyond = (id: string) =>
    Math.max(0, (project.holding.gpuTypes[id] ?? 0) - (its.get(id) ?? 0));
  return {
    ...heldOwn,
    project: {
      ...heldGpus(project, gpuTypeId),
      name: project.name,
      guaranteed: sum([...its.values()]),
      borrowed: sum(guaranteedTypes.map(beyond)),
    },
  };
}

/** A limit on the type comes before one on all GPUs. */
function heldGpus(
  { quota, holding }: { quota: Quota; holding: QuotaHolding },
  gpuTypeId: string | null,
): HeldGpus {
  const ofType = gpuTypeId === null ? null : (quota.gpuTypes?.[gpuTypeId] ?? null);
  const ofAll = quota.gpus ?? null;
  if (gpuTypeId === null || (ofType === null && ofAll !== null)) {
    return { gpuTypeId: null, held: holding.gpus, limit: ofAll };
  }
  return { gpuTypeId, held: holding.gpuTypes[gpuTypeId] ?? 0, limit: ofType };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Such as "you hold 2 of 4 NVIDIA A40, the project "vision" borrows 1". `holder` is the subject, such as "you hold". */
export function standingText({ project, ...own }: GuaranteeStanding, holder: string): string {
  const text = `${holder} ${heldText(own)}`;
  return project ? `${text}, the project "${project.name}" ${projectText(project)}` : text;
}

function heldText({ gpuTypeId, held, limit }: HeldGpus): string {
  const count = held === 0 && limit === null ? "no" : String(held);
  const unit = gpuTypeId ?? (limit === null && held === 1 ? "GPU" : "GPUs");
  return limit === null ? `${count} ${unit}` : `${count} of ${limit} ${unit}`;
}

function projectText({ guaranteed, borrowed, ...held }: ProjectStanding): string {
  const parts = [
    ...(held.limit === null ? [] : [`holds ${heldText(held)}`]),
    ...(borrowed === 0 && guaranteed > 0 ? [`is guaranteed ${guaranteed}`] : []),
    ...(borrowed > 0 ? [`borrows ${borrowed}`] : []),
  ];
  return parts.length === 0 ? `holds ${heldText(held)}` : parts.join(" and ");
}
