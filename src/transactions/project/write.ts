// Creates, changes and deletes projects. What is created meanwhile waits, and then sees the new members and limits.

import { Fault } from "../../domain/fault.ts";
import type { Project } from "../../domain/project/project.ts";
import type { QuotaChanges } from "../../domain/quota/quota.ts";
import type { ProjectIdleRule } from "../../domain/usage/idle-policy.ts";
import type { MaxLifetime } from "../../domain/usage/lifetime.ts";
import { holdAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteGuarantees } from "../../store/guarantee/guarantee.ts";
import { isMemberOf } from "../../store/member/member.ts";
import { lockPlacement } from "../../store/price-book/lock.ts";
import { lockBook } from "../../store/price-book/price-book.ts";
import {
  deleteProject,
  findProject,
  findProjectOf,
  insertProject,
  type NewProject,
  renameProject,
  replaceProjectMembers,
  saveIdleRule,
  saveMaxLifetime,
  saveWeight,
} from "../../store/project/project.ts";
import { deleteQuota } from "../../store/quota/quota.ts";
import { cancelReservationsOfProject } from "../../store/reservation/reservation.ts";
import { changeQuota } from "../quota/save.ts";
import {
  changeGuarantees,
  type GuaranteeRules,
  guaranteesFrom,
  type ProjectTerms,
  requireGuaranteesOffered,
  requireTerms,
} from "./guarantee.ts";

export interface ProjectChanges extends ProjectTerms {
  /** Replace those that it has. */
  memberIds?: readonly string[] | undefined;
  limits?: QuotaChanges | undefined;
  /** Null removes it. */
  stopWhenIdle?: ProjectIdleRule | null | undefined;
  maxLifetime?: MaxLifetime | null | undefined;
}

export function* addProject(
  project: NewProject,
  changes: ProjectChanges,
  rules: GuaranteeRules,
): Tx<Project | Fault> {
  if (changes.guaranteedGpus) yield* lockPlacement(rules.catalog);
  yield* holdAccount(project.accountId);
  const refusal = yield* refuse(project, changes, rules);
  if (refusal) return refusal;
  if (!(yield* insertProject(project))) return nameTaken(project.name);
  return yield* apply(project, changes);
}

export function* saveProject(
  accountId: string,
  id: string,
  { name, ...changes }: ProjectChanges & { name?: string | undefined },
  rules: GuaranteeRules,
): Tx<Project | Fault> {
  if (changes.guaranteedGpus) yield* lockPlacement(rules.catalog);
  yield* holdAccount(accountId);
  const project = yield* findProject(id, accountId);
  if (!project) return new Fault("project_not_found", { id });
  const refusal = yield* refuse(project, changes, rules);
  if (refusal) return refusal;
  if (name !== undefined && !(yield* renameProject(project, name))) return nameTaken(name);
  return yield* apply(project, changes);
}

/** Its members keep what they hold. */
export function* removeProject(accountId: string, id: string, at: number): Tx<Project | Fault> {
  // What places something locks reservations and guarantees before the account.
  yield* lockBook();
  yield* holdAccount(accountId);
  const project = yield* findProject(id, accountId);
  if (!project) return new Fault("project_not_found", { id });
  yield* deleteQuota(accountId, { scope: "project", holderId: id });
  yield* cancelReservationsOfProject(id, accountId, at);
  yield* deleteGuarantees({ accountId, projectId: id }, null);
  yield* deleteProject(project);
  return project;
}

function* apply(
  project: NewProject,
  { memberIds, limits, stopWhenIdle, maxLifetime, guaranteedGpus, weight }: ProjectChanges,
): Tx<Project> {
  const { id, accountId } = project;
  if (memberIds !== undefined) yield* replaceProjectMembers(project, new Set(memberIds));
  if (limits) yield* changeQuota(accountId, { scope: "project", holderId: id }, limits);
  if (stopWhenIdle !== undefined) yield* saveIdleRule(project, stopWhenIdle);
  if (maxLifetime !== undefined) yield* saveMaxLifetime(project, maxLifetime);
  if (guaranteedGpus) yield* changeGuarantees(guaranteesFrom(project, guaranteedGpus));
  if (weight !== undefined) yield* saveWeight(project, weight);
  return (yield* findProject(id, accountId))!;
}

/** Members must be of the account, and in no other project. */
function* refuse(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  { memberIds = [], guaranteedGpus, weight }: ProjectChanges,
  rules: GuaranteeRules,
): Tx<Fault | null> {
  for (const memberId of memberIds) {
    if (!(yield* isMemberOf(memberId, accountId))) {
      return new Fault("member_not_found", { id: memberId });
    }
    const other = yield* findProjectOf(memberId);
    if (other && other.id !== id) {
      return new Fault("member_elsewhere", { member: memberId, project: other.name });
    }
  }
  const forbidden = yield* requireTerms(accountId, { guaranteedGpus, weight });
  if (forbidden) return forbidden;
  return yield* requireGuaranteesOffered(
    guaranteesFrom({ id, accountId }, guaranteedGpus ?? {}),
    rules,
  );
}

const nameTaken = (name: string) => new Fault("name_taken", { noun: "project", name });
