// Finds a resource of one of several kinds by its id or its name.

import { exitCodes, Refusal } from "../../base/refusal.ts";
import type { RunningService } from "../client/running-service.ts";
import { findItem } from "./find-item.ts";
import type { Item } from "./resource.ts";
import { resources } from "./resource-table.ts";

const resourceOf = {
  job: "jobs",
  Pod: "pods",
  worker: "workers",
  endpoint: "endpoints",
  schedule: "schedule",
} as const;
type Kind = keyof typeof resourceOf;

/** The first kind that has such an id or name. */
export async function findAny<Among extends Kind>(
  service: RunningService,
  word: string,
  kinds: readonly Among[],
): Promise<{ kind: Among; item: Item }> {
  for (const kind of kinds) {
    const resource = resources[resourceOf[kind]]!;
    const item = await findItem(service, resource, word).catch((error) => {
      if (error instanceof Refusal && error.exitCode === exitCodes.notFound) return null;
      throw error;
    });
    if (item) return { kind, item };
  }
  const listed = [kinds.slice(0, -1).join(", "), kinds.at(-1)].join(" or ");
  throw new Refusal(`there is no ${listed} "${word}"`, exitCodes.notFound);
}

/**
 * The id of what a word means. A word that is neither an id nor a name is returned, and the service says
 * that there is no such thing; so does a key that cannot look names up.
 */
export async function idMeant(
  service: RunningService,
  word: string,
  kinds: readonly Kind[],
): Promise<string> {
  try {
    return (await findAny(service, word, kinds)).item.id;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { exitCode } = error;
    if (exitCode === exitCodes.notFound || exitCode === exitCodes.denied) return word;
    throw error;
  }
}
