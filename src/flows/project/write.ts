// Creating, changing and deleting projects, by an admin of their account.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import {
  addProject,
  type ProjectChanges,
  removeProject,
  saveProject,
} from "../../transactions/project/write.ts";
import { createOnceIn } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { guaranteeRules, requireGpuTypes, requireGuaranteed } from "../quota/change.ts";
import type { ProjectQuotaUse } from "../quota/read.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { readProject } from "./read.ts";

interface ProjectDeps extends FlowDeps {
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
}

export interface ProjectRequest extends ProjectChanges {
  accountId: string;
  name: string;
  once: IdempotencyKey | null;
}

export async function createProject(
  deps: ProjectDeps,
  { accountId, name, once, ...changes }: ProjectRequest,
): Promise<ProjectQuotaUse> {
  requireTypes(deps, changes);
  const now = deps.clock.now();
  const project = { id: deps.ids.short(14), accountId, name, createdAt: now };
  const { id } = await createOnceIn({ store: deps.store, once, now }, () =>
    addProject(project, changes, guaranteeRules(deps, now)),
  );
  return readProject(deps, accountId, id);
}

export async function changeProject(
  deps: ProjectDeps,
  accountId: string,
  id: string,
  changes: ProjectChanges & { name?: string | undefined },
): Promise<ProjectQuotaUse> {
  requireTypes(deps, changes);
  await throwRefusal(
    deps.store.write(saveProject, accountId, id, changes, guaranteeRules(deps, deps.clock.now())),
  );
  return readProject(deps, accountId, id);
}

function requireTypes(
  { catalog }: ProjectDeps,
  { limits, guaranteedGpus = {} }: ProjectChanges,
): void {
  requireGpuTypes(catalog, limits ?? {});
  requireGuaranteed(catalog, guaranteedGpus);
}

export async function deleteProjectOf(
  { store, clock }: Pick<ProjectDeps, "store" | "clock">,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeProject, accountId, id, clock.now()));
}
