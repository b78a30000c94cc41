// All items of a kind of resource, also of one whose lists are those of its parents.

import { callList } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { type Item, idParamOf, type Resource } from "./resource.ts";
import { resources } from "./resource-table.ts";

/** `parents` are those whose items are listed; every one if left out. */
export async function listItems(
  service: RunningService,
  kind: Resource,
  query: Record<string, unknown> = {},
  parents?: Item[],
): Promise<Item[]> {
  if (!kind.parent) return (await callList(service, kind.list, { query })) as Item[];
  const all = parents ?? ((await callList(service, resources[kind.parent]!.list)) as Item[]);
  const lists = await Promise.all(
    all.map(({ id }) =>
      callList(service, kind.list, { params: { [idParamOf(kind.list)]: id }, query }),
    ),
  );
  return lists.flat() as Item[];
}
