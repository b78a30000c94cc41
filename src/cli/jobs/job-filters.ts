// The options of commands on all jobs that match filters.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import type { JobFilterInput } from "../../contract/rest-v1/job/job-filter.ts";
import type { Service } from "../client/running-service.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";
import { camel, kebab } from "../resources/schema-options.ts";

export const jobFilters: Record<keyof JobFilterInput, string> = {
  endpointId: "of this endpoint",
  status: "IN_QUEUE, IN_PROGRESS, COMPLETED, FAILED, CANCELLED or TIMED_OUT",
  error: "whose error contains this text",
  since: "submitted since an instant, or within a duration such as 1h",
  until: "submitted before an instant, or before a duration until now",
  finishedAfter: "that ended since an instant, or within a duration such as 1h",
  finishedBefore: "that ended before an instant, or before a duration until now",
  workerId: "of this worker",
  batchId: "of this batch",
  id: "whose id begins with this",
  quarantined: "true for jobs in quarantine, false for others",
};

export function addJobFilters(program: Program): void {
  program.optionsGroup("Only some:");
  for (const [name, about] of Object.entries(jobFilters))
    program.option(`--${kebab(name)} <value>`, about);
}

/** The service validates the values, but for the one that is no text. */
export async function jobFilterFrom(
  service: Service,
  values: Record<string, unknown>,
): Promise<JobFilterInput> {
  const names = Object.keys(jobFilters).filter((name) => values[camel(kebab(name))] !== undefined);
  const filter: Record<string, unknown> = {};
  for (const name of names) filter[name] = values[camel(kebab(name))];
  const { endpointId, quarantined } = filter;
  if (endpointId !== undefined)
    filter.endpointId = (await findItem(service, resources.endpoints!, String(endpointId))).id;
  if (quarantined !== undefined) filter.quarantined = booleanIn(String(quarantined));
  return filter;
}

function booleanIn(text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new UsageError(`--quarantined is "${text}"; it takes true or false`);
}
