// Adds the GPU types of MIG devices and of shares to the catalog of all replicas, once a machine has some.

import { parsePartType } from "../../../domain/catalog/slice-name.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { lockBook, readBook, setSliceTypes } from "../../../store/price-book/price-book.ts";

/** Call this before the transaction locks the machine: what prices something locks the price book first. */
export function* addSliceTypes({ gpus }: Pick<Inventory, "gpus">): Tx<void> {
  yield* addPartTypes(gpus.map(({ gpuTypeId }) => gpuTypeId));
}

/** Adds the types of these ids that are parts of a GPU; types of whole GPUs are not added. */
export function* addPartTypes(typeIds: readonly string[]): Tx<void> {
  const sliceTypes = yield* lockPartTypes(typeIds);
  if (sliceTypes === null) return;
  const added = newAmong(typeIds, sliceTypes);
  if (added.length > 0) yield* setSliceTypes([...sliceTypes, ...added]);
}

/** Locks the price book if it lacks one of these types, and returns those that it has then; null if it lacks none. */
export function* lockPartTypes(typeIds: readonly string[]): Tx<readonly string[] | null> {
  if (!typeIds.some(isPart)) return null;
  if (newAmong(typeIds, (yield* readBook()).sliceTypes).length === 0) return null;
  return (yield* lockBook()).sliceTypes;
}

const isPart = (id: string) => parsePartType(id) !== null;

const newAmong = (typeIds: readonly string[], present: readonly string[]) =>
  typeIds.filter((id) => isPart(id) && !present.includes(id));
