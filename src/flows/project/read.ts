// Reading projects: their members, what these hold together, and the limits.

import { Fault } from "../../domain/fault.ts";
import { type ProjectQuotaUse, type QuotaReadDeps, quotaUseOf } from "../quota/read.ts";

export async function projectsOf(
  deps: QuotaReadDeps,
  accountId: string,
): Promise<ProjectQuotaUse[]> {
  return (await quotaUseOf(deps, accountId)).projects;
}

export async function readProject(
  deps: QuotaReadDeps,
  accountId: string,
  id: string,
): Promise<ProjectQuotaUse> {
  const project = (await projectsOf(deps, accountId)).find((each) => each.id === id);
  if (!project) throw new Fault("project_not_found", { id });
  return project;
}
