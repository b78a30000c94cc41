// Finds the item that a word of the command line means: the one with this id, or the only one with this
// name.

import { ID_PATTERN } from "../../../base/ids.ts";
import { nearestWord } from "../../../base/nearest.ts";
import { callRoute } from "../../client/api.ts";
import type { Service } from "../../client/running-service.ts";
import { Refused } from "../../client/service-request.ts";
import { exitCodes, Refusal, UsageError } from "../../refusal.ts";
import { type Item, idParamOf, pluralOf, type Resource } from "./resource.ts";

export async function findItem(service: Service, kind: Resource, word: string): Promise<Item> {
  try {
    return (await callRoute(service, kind.get!, {
      params: { [idParamOf(kind.get!)]: word },
    })) as Item;
  } catch (error) {
    // A word that cannot be an id may be a name.
    const isName = error instanceof Refused && (error.status === 404 || !ID_PATTERN.test(word));
    if (!isName) throw error;
    // Jobs and workers have no names, and their lists are long.
    if (kind.parent || !kind.columns.some(([heading]) => heading === "NAME")) throw error;
  }
  const all = (await callRoute(service, kind.list, { query: kind.findIn })) as Item[];
  const [found, ...more] = all.filter(({ name }) => name === word);
  if (!found) throw missing(kind, word, all);
  if (more.length === 0) return found;
  const ids = [found, ...more].map(({ id }) => id).join(", ");
  throw new UsageError(
    `${more.length + 1} ${pluralOf(kind)} are named "${word}"; use an id: ${ids}`,
  );
}

function missing({ noun }: Resource, word: string, all: Item[]): Refusal {
  const suggestion = nearestWord(
    word,
    all.map(({ name }) => String(name)),
  );
  const hint = suggestion ? `; did you mean "${suggestion}"?` : "";
  return new Refusal(`there is no ${noun} "${word}"${hint}`, exitCodes.notFound);
}
