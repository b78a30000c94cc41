// Reading projects: their members, what these hold together, and the limits.

import { Fault } from "../../domain/fault.ts";
import type { Store } from "../../store/engine/store.ts";
import { type ProjectQuotaUse, quotaUseOf } from "../quota/read.ts";

export async function projectsOf(
  deps: { store: Store },
  accountId: string,
): Promise<ProjectQuotaUse[]> {
  return (await quotaUseOf(deps, accountId)).projects;
}

export async function readProject(
  deps: { store: Store },
  accountId: string,
  id: string,
): Promise<ProjectQuotaUse> {
  const project = (await projectsOf(deps, accountId)).find((each) => each.id === id);
  if (!project) throw new Fault("project_not_found", { id });
  return project;
}
