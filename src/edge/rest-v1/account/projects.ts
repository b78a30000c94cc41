// Routes of /v1/projects.

import type { FastifyInstance } from "fastify";
import type { MaxLifetimeInput } from "../../../contract/max-lifetime.ts";
import {
  type Project,
  type ProjectIdleRuleInput,
  projectOperations,
} from "../../../contract/rest-v1/account/project.ts";
import type { QuotaUpdate } from "../../../contract/rest-v1/account/quota.ts";
import type { HeartbeatTiming } from "../../../domain/replica/heartbeat-timing.ts";
import { projectsOf, readProject } from "../../../flows/project/read.ts";
import {
  changeProject,
  createProject,
  deleteProjectOf,
  type ProjectRequest,
} from "../../../flows/project/write.ts";
import type { ProjectQuotaUse } from "../../../flows/quota/read.ts";
import type { CatalogDeps } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { maxLifetimeOf } from "../../management/template/max-lifetime.ts";
import { idleRuleOf } from "../../management/template/pod-rules.ts";
import { guaranteesRead, shareRead, standardChanges, useRead } from "./limits.ts";

interface Deps extends CatalogDeps {
  heartbeatTiming: HeartbeatTiming;
}

export function projectRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, projectOperations, {
    async createProject({ accountId, body, once }) {
      body satisfies Whole<typeof body, ProjectRequest>;
      return projectRead(await createProject(deps, { ...changesOf(body), accountId, once }));
    },
    listProjects: async ({ accountId }) => (await projectsOf(deps, accountId)).map(projectRead),
    getProject: async ({ accountId, params: { projectId } }) =>
      projectRead(await readProject(deps, accountId, projectId)),
    async updateProject({ accountId, params: { projectId }, body }) {
      body satisfies Whole<typeof body, ProjectRequest>;
      return projectRead(await changeProject(deps, accountId, projectId, changesOf(body)));
    },
    async deleteProject({ accountId, params: { projectId } }) {
      await deleteProjectOf(deps, accountId, projectId);
    },
  });
}

interface Changes {
  limits?: QuotaUpdate;
  stopWhenIdle?: ProjectIdleRuleInput | null;
  maxLifetime?: MaxLifetimeInput | null;
}

function changesOf<Body extends Changes>({ limits, stopWhenIdle, maxLifetime, ...body }: Body) {
  return {
    ...body,
    ...(limits && { limits: standardChanges(limits) }),
    ...(maxLifetime !== undefined && { maxLifetime: maxLifetimeOf(maxLifetime) }),
    ...(stopWhenIdle !== undefined && {
      stopWhenIdle: stopWhenIdle && { mayOptOut: true, ...idleRuleOf(stopWhenIdle) },
    }),
  };
}

function projectRead(project: ProjectQuotaUse): Project {
  const { id, name, members, stopWhenIdle, maxLifetime, createdAt, guarantees, share, ...use } =
    project;
  return {
    id,
    name,
    members,
    ...useRead(use),
    ...guaranteesRead(guarantees),
    share: shareRead(share),
    ...(stopWhenIdle && { stopWhenIdle }),
    ...(maxLifetime && { maxLifetime }),
    createdAt: instant(createdAt),
  };
}
