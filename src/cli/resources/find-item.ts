// Finds the item that a word of the command line means: the one with this id, the only one with this name, or the only
// one whose id begins with it.

import { ID_PATTERN } from "../../base/ids.ts";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import { nearestWord } from "../../base/text/nearest.ts";
import { callRoute } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { Refused } from "../client/service-request.ts";
import { listItems } from "./list-items.ts";
import { type Item, idParamOf, pluralOf, type Resource } from "./resource.ts";

/** A shorter beginning of an id is refused, even if only one id has it now. */
const MIN_BEGINNING = 8;

export async function findItem(
  service: RunningService,
  kind: Resource,
  word: string,
): Promise<Item> {
  const missing = kind.get ? await read(service, kind.get, word) : null;
  if (missing && !(missing instanceof Refused)) return missing;
  const isBeginning = word.length >= MIN_BEGINNING && ID_PATTERN.test(word);
  if (missing && !hasNames(kind) && !isBeginning) throw missing;
  const all = await listItems(service, kind, queryFor(kind, word));
  const named = all.filter(({ id, name }) => name === word || (!kind.get && id === word));
  const begun = isBeginning ? all.filter(({ id }) => id.startsWith(word)) : [];
  const [item, ...more] = named.length > 0 ? named : begun;
  if (!item) throw missing && !hasNames(kind) ? missing : notFound(kind, word, all);
  if (more.length === 0) return item;
  const ids = [item, ...more].map(({ id }) => id).join(", ");
  const what = named.length > 0 ? `are named "${word}"` : `have an id that begins with "${word}"`;
  throw new UsageError(`${more.length + 1} ${pluralOf(kind)} ${what}; use an id: ${ids}`);
}

const hasNames = ({ columns }: Resource) => columns.some(([heading]) => heading === "NAME");

/** The item with this id, or the refusal of a word that is no such id. */
async function read(
  service: RunningService,
  route: NonNullable<Resource["get"]>,
  word: string,
): Promise<Item | Refused> {
  try {
    return (await callRoute(service, route, { params: { [idParamOf(route)]: word } })) as Item;
  } catch (error) {
    if (error instanceof Refused && (error.status === 404 || !ID_PATTERN.test(word))) return error;
    throw error;
  }
}

/** A list that can be long takes the beginning of an id. */
const queryFor = ({ findIn, beginningIn }: Resource, word: string) =>
  beginningIn === undefined ? findIn : { [beginningIn]: word };

function notFound({ noun }: Resource, word: string, all: Item[]): Refusal {
  const suggestion = nearestWord(
    word,
    all.flatMap(({ name }) => (typeof name === "string" ? [name] : [])),
  );
  const hint = suggestion ? `; did you mean "${suggestion}"?` : "";
  return new Refusal(`there is no ${noun} "${word}"${hint}`, exitCodes.notFound);
}
