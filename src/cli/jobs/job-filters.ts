// The options of commands on all jobs that match filters.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import type { JobFilterInput } from "../../contract/rest-v1/job/job-filter.ts";
import type { RunningService } from "../client/running-service.ts";
import { findItem } from "../resources/find-item.ts";
import { jobFilterTexts } from "../resources/job-resources.ts";
import { resources } from "../resources/resource-table.ts";
import { camel, kebab } from "../resources/schema-options.ts";

/** The names of the filters, as the service has them. */
export const jobFilterNames = Object.keys(jobFilterTexts);

export function addJobFilters(program: Program): void {
  program.optionsGroup("Only some:");
  for (const [name, about] of Object.entries(jobFilterTexts))
    program.option(`--${kebab(name)} <value>`, about);
}

/** The service validates the values, but for the one that is no text. */
export async function jobFilterFrom(
  service: RunningService,
  values: Record<string, unknown>,
): Promise<JobFilterInput> {
  const names = jobFilterNames.filter((name) => values[camel(kebab(name))] !== undefined);
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
