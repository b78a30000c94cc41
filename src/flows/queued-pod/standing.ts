// Reads what the owner of a request in line and the owner's project hold of what it waits for.

import { type GuaranteeStanding, standingOf } from "../../domain/guarantee/standing.ts";
import type { QueuedPod } from "../../domain/queued-pod/queued-pod.ts";
import { effectiveQuota, nothingHeld, sumOf } from "../../domain/quota/quota.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allGuarantees } from "../../store/guarantee/guarantee.ts";
import { findProjectOf } from "../../store/project/project.ts";
import { holdingsOf } from "../../store/quota/holdings.ts";
import { quotasOf } from "../../store/quota/quota.ts";

/** Null for a request without GPUs, and for one that left the line. */
export function* readStandingInLine({
  accountId,
  owner,
  spec,
  refusal,
}: Pick<QueuedPod, "accountId" | "owner" | "spec" | "refusal">): Tx<GuaranteeStanding | null> {
  if (spec.computeType === "CPU" || refusal) return null;
  const quotas = yield* quotasOf(accountId);
  const project = owner ? yield* findProjectOf(owner.id) : undefined;
  const guarantees = yield* allGuarantees();
  const holdings = yield* holdingsOf(accountId);
  const held = (ids: Iterable<string | null>) =>
    sumOf([...ids].map((id) => holdings.get(id) ?? nothingHeld));
  const { account = {}, members = {}, byMember, byProject } = quotas ?? {};
  return standingOf({
    accepted: spec.gpuTypeIds,
    own: owner
      ? { quota: effectiveQuota(byMember?.get(owner.id) ?? {}, members), holding: held([owner.id]) }
      : { quota: account, holding: held(holdings.keys()) },
    project: project
      ? {
          id: project.id,
          name: project.name,
          quota: byProject?.get(project.id) ?? {},
          holding: held(project.members.map(({ id }) => id)),
        }
      : null,
    guarantees,
  });
}
