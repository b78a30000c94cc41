// Adds, removes and ends exemptions from stops.

import { Fault } from "../../domain/fault.ts";
import { isPodOf } from "../../domain/pod/pod.ts";
import { type Exemption, lasting } from "../../domain/usage/exemption.ts";
import { findManaged, firstAccount } from "../../store/account/account.ts";
import { lockExemptions, saveExemptions } from "../../store/account/exemptions.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { isMemberOf } from "../../store/member/member.ts";
import { findPod } from "../../store/pod/row.ts";
import { findProject } from "../../store/project/project.ts";
import { requireOperator } from "../account/require-operator.ts";

/** Each is compared with every Pod that is read. */
const MAX_EXEMPTIONS = 100;

/** An account, and the one that acts on it: itself, or the operator's. */
export interface Acting {
  by: string;
  accountId: string;
}

export function* requireManaged({ by, accountId }: Acting): Tx<Fault | null> {
  if (by === accountId) return null;
  const refusal = yield* requireOperator(by);
  if (refusal) return refusal;
  return (yield* findManaged(accountId)) ? null : new Fault("account_not_found", { id: accountId });
}

export function* addExemption(
  acting: Acting,
  fields: Omit<Exemption, "byOperator">,
): Tx<Exemption | Fault> {
  const { by, accountId } = acting;
  const refusal = (yield* requireManaged(acting)) ?? (yield* requireTarget(accountId, fields));
  if (refusal) return refusal;
  const before = yield* lockExemptions(accountId);
  const last = lasting(before, fields.createdAt);
  const all = last.length < MAX_EXEMPTIONS ? last : yield* withTargets(accountId, last);
  if (all.length >= MAX_EXEMPTIONS)
    return new Fault("too_many_of_kind", { limit: MAX_EXEMPTIONS, nouns: "exemptions" });
  const exemption = { ...fields, byOperator: (yield* firstAccount())?.id === by };
  yield* saveExemptions(accountId, [...all, exemption]);
  const ended = before.filter((each) => !all.includes(each));
  yield* recordEnds(accountId, ended, fields.createdAt);
  return exemption;
}

/** Leaves out those of Pods, members and projects that are gone, which exempt nothing. */
function* withTargets(accountId: string, all: readonly Exemption[]): Tx<Exemption[]> {
  const remaining: Exemption[] = [];
  for (const each of all)
    if ((yield* requireTarget(accountId, each)) === null) remaining.push(each);
  return remaining;
}

function* requireTarget(
  accountId: string,
  { kind, target }: Pick<Exemption, "kind" | "target">,
): Tx<Fault | null> {
  const id = target;
  if (kind === "pod")
    return isPodOf(yield* findPod(id), accountId) ? null : new Fault("pod_not_found", { id });
  if (kind === "member")
    return (yield* isMemberOf(id, accountId)) ? null : new Fault("member_not_found", { id });
  if (kind === "project")
    return (yield* findProject(id, accountId)) ? null : new Fault("project_not_found", { id });
  return null;
}

/** Returns what it removed. */
export function* removeExemption(acting: Acting, id: string): Tx<Exemption | Fault> {
  const refusal = yield* requireManaged(acting);
  if (refusal) return refusal;
  const all = yield* lockExemptions(acting.accountId);
  const exemption = all.find((each) => each.id === id);
  if (!exemption) return new Fault("exemption_not_found", { id });
  yield* saveExemptions(
    acting.accountId,
    all.filter((each) => each !== exemption),
  );
  return exemption;
}

/** Removes those whose time is over. */
export function* endExemptions(accountId: string, now: number): Tx<void> {
  const all = yield* lockExemptions(accountId);
  const remaining = lasting(all, now);
  const ended = all.filter((each) => !remaining.includes(each));
  if (ended.length === 0) return;
  yield* saveExemptions(accountId, remaining);
  yield* recordEnds(accountId, ended, now);
}

function* recordEnds(accountId: string, ended: readonly Exemption[], at: number): Tx<void> {
  for (const { id, kind, target } of ended) {
    const detail = `the exemption of ${kind} ${target} ended`;
    const act = { operation: "deleteExemption", resourceType: "exemption", resourceId: id };
    yield* appendSystemAct({ accountId, at, ...act, detail });
  }
}
