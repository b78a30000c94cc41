// A subcommand on some items, and for jobs on all that match filters.

import type { Command as Program } from "commander";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import { type ApiRoute, callRoute } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printDone, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { findItem } from "../resources/find-item.ts";
import {
  type Action,
  type Item,
  idHelp,
  idParamOf,
  pluralOf,
  type Resource,
  wordFor,
} from "../resources/resource.ts";

type Values = CommonValues & Record<string, unknown>;

/** Words are resolved before anything is done, so that a wrong one changes nothing. */
export async function addAction(command: Program, kind: Resource, action: Action): Promise<void> {
  if (action.bulk) return addBulkAction(command, kind, action, action.bulk);
  addCommonOptions(command.argument(`<${wordFor(kind)}...>`, idHelp(kind))).action(
    (words: string[], values: Values) => changeItems(kind, action, words, values),
  );
}

async function addBulkAction(
  command: Program,
  kind: Resource,
  action: Action,
  bulk: NonNullable<Action["bulk"]>,
): Promise<void> {
  const { addJobFilters, jobFilterFrom, jobFilterNames } = await import("../jobs/job-filters.ts");
  command.argument(`[${wordFor(kind)}...]`, `${idHelp(kind)}, in place of filters`);
  addJobFilters(command);
  command.option("--all", `all ${pluralOf(kind)} of the account`);
  addCommonOptions(command).action(async (words: string[], values: Values) => {
    const isFiltered = values.all || jobFilterNames.some((name) => name in values);
    if (isFiltered === words.length > 0)
      throw new UsageError(`${bulk} takes ids of ${pluralOf(kind)}, or filters, or --all`);
    if (!isFiltered) return changeItems(kind, action, words, values);
    const service = await serviceFor(values);
    const { changeAllJobs } = await import("../jobs/change-all.ts");
    await changeAllJobs(service, bulk, await jobFilterFrom(service, values), values);
  });
}

async function changeItems(
  kind: Resource,
  { route, body, done, failure }: Action,
  words: string[],
  values: Values,
): Promise<void> {
  const service = await serviceFor(values);
  const items: Item[] = [];
  for (const word of words) items.push(await findItem(service, kind, word));
  const failures: string[] = [];
  for (const item of items) {
    const answer = (await callRoute(service, route, { params: paramsOf(route, item), body })) as
      | Item
      | undefined;
    // An action may make something new, such as the job of a schedule.
    const id = String(answer?.id ?? answer?.jobId ?? item.id);
    if (values.quiet && !values.json) write(`${id}\n`);
    const sentence = (what: string) => `${kind.noun} ${item.id} ${what}`;
    const failed = failure?.(answer as never) ?? null;
    if (failed !== null) failures.push(sentence(failed));
    if (failed !== null && !values.json) continue;
    const what = typeof done === "string" ? done : done(answer as never);
    printDone(sentence(what), answer ?? { id }, values);
  }
  if (failures.length > 0) throw new Refusal(failures.join("\n"), exitCodes.unsuccessful);
}

/** The item's id for the last parameter, and its members for the others. */
function paramsOf(route: ApiRoute, item: Item): Record<string, string> {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const own = idParamOf(route);
  return Object.fromEntries(
    names.map((name) => [name, String(name === own ? item.id : item[name])]),
  );
}
