// A cache of read transactions. A result stays valid until anything is written to the store, so that a
// long list that is polled often is built only once.

import type { Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";

/** Results can be long lists; the cache is cleared beyond this number. */
const MAX_RESULTS = 20;

interface CachedResult {
  version: number;
  result: unknown;
}

const caches = new WeakMap<Store, Map<string, CachedResult>>();

/**
 * Returns the cached result of `name` and the arguments, or runs the transaction. `name` is the transaction's alone,
 * which must depend only on the store and on its arguments. Its result must not be changed.
 */
export async function readCached<Args extends unknown[], Result>(
  store: Store,
  name: string,
  transaction: (...args: Args) => Tx<Result>,
  ...args: Args
): Promise<Result> {
  const { version } = store;
  if (version === null) return store.read(transaction, ...args);
  const all = cacheOf(store);
  const key = `${name} ${JSON.stringify(args)}`;
  const known = all.get(key);
  if (known?.version === version) return known.result as Result;
  const result = await store.read(transaction, ...args);
  // After a concurrent write, it is unknown which version was read.
  if (store.version !== version) return result;
  if (all.size >= MAX_RESULTS) all.clear();
  all.set(key, { version, result });
  return result;
}

function cacheOf(store: Store): Map<string, CachedResult> {
  const known = caches.get(store);
  if (known) return known;
  const cache = new Map<string, CachedResult>();
  caches.set(store, cache);
  return cache;
}
