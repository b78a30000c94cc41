// What was read of the store and is still so, because nothing at all was written since: whoever asks for a
// long list again and again does not have it put together anew each time.

import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";

/** Lists are long; more of them than this and all are forgotten. */
const MOST = 20;

interface Kept {
  version: number;
  result: unknown;
}

const kept = new WeakMap<Store, Map<string, Kept>>();

/**
 * Reads, or answers what the same verb answered before. The verb must depend on nothing but what is
 * stored and on what is said in `what`, and nobody may change its result.
 */
export async function readUnlessUnchanged<Args extends unknown[], Result>(
  store: Store,
  what: string,
  verb: (...args: Args) => Verb<Result>,
  ...args: Args
): Promise<Result> {
  const { version } = store;
  if (version === null) return store.read(verb, ...args);
  const all = keptOf(store);
  const known = all.get(what);
  if (known?.version === version) return known.result as Result;
  const result = await store.read(verb, ...args);
  // Somebody may have written meanwhile; then nobody knows which of both was read.
  if (store.version !== version) return result;
  if (all.size >= MOST) all.clear();
  all.set(what, { version, result });
  return result;
}

function keptOf(store: Store): Map<string, Kept> {
  const known = kept.get(store);
  if (known) return known;
  const made = new Map<string, Kept>();
  kept.set(store, made);
  return made;
}
