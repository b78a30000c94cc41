// Adds the GPU types of MIG devices and of shares to the catalog of all replicas, once a machine has some.

import { parsePartType } from "../../../domain/catalog/slice-name.ts";
import type { Inventory } from "../../../domain/machine/inventory.ts";
import type { Tx } from "../../../store/engine/statement.ts";
import { lockBook, readBook, setSliceTypes } from "../../../store/price-book/price-book.ts";

/** Call this before the transaction locks the machine: what prices something locks the price book first. */
export function* addSliceTypes({ gpus }: Pick<Inventory, "gpus">): Tx<void> {
  yield* addPartTypes(gpus.map(({ gpuTypeId }) => gpuTypeId));
}

/** The same for the ids of some types; those of whole GPUs are not added. */
export function* addPartTypes(typeIds: readonly string[]): Tx<void> {
  const ids = typeIds.filter((id) => parsePartType(id) !== null);
  if (ids.length === 0) return;
  const newAmong = (present: readonly string[]) => ids.filter((id) => !present.includes(id));
  if (newAmong((yield* readBook()).sliceTypes).length === 0) return;
  const { sliceTypes } = yield* lockBook();
  const added = newAmong(sliceTypes);
  if (added.length > 0) yield* setSliceTypes([...sliceTypes, ...added]);
}
