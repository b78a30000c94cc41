// The tables `project` and `project_member`. A writer holds the account, as does each check of a project's limits.

import { DEFAULT_WEIGHT } from "../../domain/gpu-use/share-order.ts";
import type { MemberName } from "../../domain/member/member.ts";
import type { Project } from "../../domain/project/project.ts";
import { type ProjectIdleRule, readProjectIdleRule } from "../../domain/usage/idle-policy.ts";
import type { MaxLifetime } from "../../domain/usage/lifetime.ts";
import { topic } from "../engine/notifier.ts";
import { updateRows } from "../engine/row/columns.ts";
import { maxLifetimeFrom, maxLifetimeValues } from "../engine/row/max-lifetime.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

type Rules = "stopWhenIdle" | "maxLifetime";

interface ProjectRow extends Omit<Project, "members" | Rules> {
  idleRule: string | null;
  maxMinutes: number | null;
  maxExtendable: number;
}

const COLUMNS = `id, account_id as "accountId", name, weight, created_at as "createdAt", idle_rule as "idleRule",
  max_minutes as "maxMinutes", max_extendable as "maxExtendable"`;

const fromRow = (
  { idleRule, maxMinutes, maxExtendable, ...project }: ProjectRow,
  members: MemberName[],
): Project => ({
  ...project,
  members,
  maxLifetime: maxLifetimeFrom(maxMinutes, maxExtendable),
  stopWhenIdle: idleRule === null ? null : readProjectIdleRule(idleRule),
});

const MEMBERS = `select member.id, member.name, project_member.project_id as "projectId"
  from project_member join member on member.id = project_member.member_id`;

/** The row of a project; its members, weight and rules are written after it. */
export type NewProject = Omit<Project, "members" | "weight" | Rules>;

/** False if a project of the account has this name. */
export function* insertProject({ id, accountId, name, createdAt }: NewProject): Tx<boolean> {
  const inserted = yield* change(
    `insert into project (id, account_id, name, created_at) values (?, ?, ?, ?)
     on conflict (account_id, name) do nothing`,
    ...[id, accountId, name, createdAt],
  );
  yield* notifyLimits(accountId);
  return inserted > 0;
}

/** The oldest first. */
export function* listProjects(accountId: string): Tx<Project[]> {
  const projects = yield* rows<ProjectRow>(
    `select ${COLUMNS} from project where account_id = ? order by created_at, id`,
    accountId,
  );
  if (projects.length === 0) return [];
  const members = yield* rows<MemberName & { projectId: string }>(
    `${MEMBERS} where member.account_id = ? order by member.created_at, member.id`,
    accountId,
  );
  return projects.map((project) =>
    fromRow(
      project,
      members
        .filter(({ projectId }) => projectId === project.id)
        .map(({ id, name }) => ({ id, name })),
    ),
  );
}

export function* findProject(id: string, accountId: string): Tx<Project | undefined> {
  const project = yield* row<ProjectRow>(
    `select ${COLUMNS} from project where id = ? and account_id = ?`,
    ...[id, accountId],
  );
  return project && fromRow(project, yield* membersIn(id));
}

/** The project that a member is in. */
export function* findProjectOf(memberId: string): Tx<Project | undefined> {
  const project = yield* row<ProjectRow>(
    `select ${COLUMNS} from project
     where id = (select project_id from project_member where member_id = ?)`,
    memberId,
  );
  return project && fromRow(project, yield* membersIn(project.id));
}

/** The ids of the projects that these members are in, by member. */
export function* projectsOfMembers(memberIds: readonly string[]): Tx<Map<string, string>> {
  if (memberIds.length === 0) return new Map();
  const found = yield* rows<{ memberId: string; projectId: string }>(
    `select member_id as "memberId", project_id as "projectId" from project_member
     where member_id in (${memberIds.map(() => "?").join(", ")})`,
    ...memberIds,
  );
  return new Map(found.map(({ memberId, projectId }) => [memberId, projectId]));
}

/** The weights that differ from the default, by project id. */
export function* projectWeights(): Tx<Map<string, number>> {
  const found = yield* rows<Pick<Project, "id" | "weight">>(
    "select id, weight from project where weight <> ?",
    DEFAULT_WEIGHT,
  );
  return new Map(found.map(({ id, weight }) => [id, weight]));
}

export function* saveWeight(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  weight: number,
): Tx<void> {
  yield* change("update project set weight = ? where id = ?", weight, id);
  yield* notify(topic.queuedPods);
  yield* notifyLimits(accountId);
}

/** False if another project of the account has this name. */
export function* renameProject(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  name: string,
): Tx<boolean> {
  const isTaken = yield* row(
    "select id from project where account_id = ? and name = ? and id <> ?",
    ...[accountId, name, id],
  );
  if (isTaken) return false;
  yield* change("update project set name = ? where id = ?", name, id);
  yield* notifyLimits(accountId);
  return true;
}

/** Null removes it. */
export function* saveIdleRule(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  rule: ProjectIdleRule | null,
): Tx<void> {
  yield* change("update project set idle_rule = ? where id = ?", rule && JSON.stringify(rule), id);
  yield* notifyLimits(accountId);
}

/** Null removes it. */
export function* saveMaxLifetime(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  rule: MaxLifetime | null,
): Tx<void> {
  yield* updateRows("project", maxLifetimeValues(rule), "id = ?", id);
  yield* notify(topic.pods);
  yield* notifyLimits(accountId);
}

/** None of them may be in another project. */
export function* replaceProjectMembers(
  { id, accountId }: Pick<Project, "id" | "accountId">,
  memberIds: Iterable<string>,
): Tx<void> {
  yield* change("delete from project_member where project_id = ?", id);
  for (const memberId of memberIds) {
    yield* change(
      "insert into project_member (member_id, project_id) values (?, ?)",
      ...[memberId, id],
    );
  }
  yield* notifyLimits(accountId);
}

export function* deleteProject({ id, accountId }: Pick<Project, "id" | "accountId">): Tx<void> {
  yield* change("delete from project_member where project_id = ?", id);
  yield* change("delete from project where id = ?", id);
  yield* notifyLimits(accountId);
}

function* membersIn(projectId: string): Tx<MemberName[]> {
  const members = yield* rows<MemberName>(
    `${MEMBERS} where project_member.project_id = ? order by member.created_at, member.id`,
    projectId,
  );
  return members.map(({ id, name }) => ({ id, name }));
}

/** Workers that waited for room may start. */
function* notifyLimits(accountId: string): Tx<void> {
  yield* notify(topic.fleet);
  yield* notify(topic.changed(accountId, "quota", accountId));
}
