// Finds a resource of one of several kinds by its id or its name.

import type { Service } from "../../client/running-service.ts";
import { exitCodes, Refusal } from "../../refusal.ts";
import { findItem } from "./find-item.ts";
import type { Item } from "./resource.ts";
import { resources } from "./resource-table.ts";

type Kind = "job" | "Pod" | "worker" | "endpoint";

/** The first kind that has such an id or name. */
export async function findAny<Among extends Kind>(
  service: Service,
  word: string,
  kinds: readonly Among[],
): Promise<{ kind: Among; item: Item }> {
  for (const kind of kinds) {
    const resource = resources[`${kind.toLowerCase()}s`]!;
    const item = await findItem(service, resource, word).catch((error) => {
      if (error instanceof Refusal && error.exitCode === exitCodes.notFound) return null;
      throw error;
    });
    if (item) return { kind, item };
  }
  const listed = [kinds.slice(0, -1).join(", "), kinds.at(-1)].join(" or ");
  throw new Refusal(`there is no ${listed} "${word}"`, exitCodes.notFound);
}
