// Projects: members of an account whose holdings count together against limits.

import Type, { type Static } from "typebox";
import { instant, TAKES } from "../../fields.ts";
import { idleRule } from "../../idle-rule.ts";
import { maxLifetime, maxLifetimeOrNull } from "../../max-lifetime.ts";
import type { Operations } from "../../operation.ts";
import { guaranteedGpus, guaranteeUpdate, update as limits, share, use, weight } from "./quota.ts";

const name = Type.String({
  minLength: 1,
  maxLength: 191,
  description: "Unique within the account.",
});

const memberIds = Type.Array(Type.String(), {
  maxItems: 1000,
  description:
    "The ids of its members. A member is in one project at the most, and everything that belongs to the member counts for it.",
});

const projectIdleRule = Type.Object(
  {
    ...idleRule.properties,
    mayOptOut: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "Whether a Pod may say never, or have a rule of its own that stops it later than this one.",
      }),
    ),
  },
  {
    title: "ProjectIdleRule",
    additionalProperties: false,
    description:
      "Stops Pods of its members that have no rule of their own once they were not used for so long.",
  },
);
export type ProjectIdleRuleInput = Static<typeof projectIdleRule>;
const stopWhenIdle = Type.Union([projectIdleRule, Type.Null()], {
  [TAKES]: "an object with minutes, from 1 to 43200, or null",
});

const projectCreate = Type.Object(
  {
    name,
    memberIds: Type.Optional(memberIds),
    limits: Type.Optional(limits),
    stopWhenIdle: Type.Optional(stopWhenIdle),
    maxLifetime: Type.Optional(maxLifetimeOrNull),
    guaranteedGpus: Type.Optional(guaranteeUpdate),
    weight: Type.Optional({ ...weight, default: 1 }),
  },
  { title: "ProjectCreate", additionalProperties: false },
);

const projectUpdate = Type.Partial(
  Type.Object({
    name,
    memberIds,
    limits,
    stopWhenIdle,
    maxLifetime: maxLifetimeOrNull,
    guaranteedGpus: guaranteeUpdate,
    weight,
  }),
  { title: "ProjectUpdate", additionalProperties: false },
);

const project = Type.Object(
  {
    id: Type.String(),
    name,
    members: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: "Removed members among them, whose things may have stayed.",
    }),
    ...use,
    guaranteedGpus: Type.Optional(guaranteedGpus),
    share,
    stopWhenIdle: Type.Optional(projectIdleRule),
    maxLifetime: Type.Optional(maxLifetime),
    createdAt: instant,
  },
  { title: "Project" },
);
export type Project = Static<typeof project>;

const projectPath = "/v1/projects/{projectId}";
const tag = "Projects";
const read = { of: "rest", access: "read", area: "own" } as const;
const write = { of: "rest", access: "write", area: "account" } as const;
const answer = {
  description: "The project, and what its members hold together.",
  schema: project,
} as const;

export const projectOperations = {
  createProject: {
    method: "POST",
    path: "/v1/projects",
    tag,
    summary: "Create a project",
    description:
      "Its limits apply to what its members hold together, in every interface, beside the limits of each member and of the account.",
    needs: write,
    body: projectCreate,
    once: true,
    answer: { status: 201, ...answer },
  },
  listProjects: {
    method: "GET",
    path: "/v1/projects",
    tag,
    summary: "List projects, and who holds what",
    needs: read,
    answer: { status: 200, description: "The projects.", schema: Type.Array(project) },
  },
  getProject: {
    method: "GET",
    path: projectPath,
    tag,
    summary: "Read a project",
    needs: read,
    answer: { status: 200, ...answer },
  },
  updateProject: {
    method: "PATCH",
    path: projectPath,
    tag,
    summary: "Change a project's name, members, limits, guarantees or rules for Pods",
    description:
      "A limit below what is held stops nothing; `over` says what is beyond it, and nothing can be added to that. " +
      "`stopWhenIdle` holds at once for the Pods of its members that have none of their own, and `maxLifetime` for all of them; null removes them.",
    needs: write,
    body: projectUpdate,
    answer: { status: 200, ...answer },
  },
  deleteProject: {
    method: "DELETE",
    path: projectPath,
    tag,
    summary: "Delete a project",
    description: "Its limits and guarantees end. Its members stay, and keep what they hold.",
    needs: write,
    answer: { status: 204, description: "The project is deleted." },
  },
} as const satisfies Operations;
