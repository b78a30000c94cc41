// The tables `price_book` and `price_change`: every price that the operator set in place of the
// catalog file's. It is append-only.

import type { GpuTypeFacts } from "../../domain/catalog/own-types.ts";
import type { PriceName, PriceSetting } from "../../domain/catalog/prices.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

export type PriceChange = PriceName & {
  /** Rises with every change. */
  seq: number;
  at: number;
  /** The id of the operator's API key. */
  keyId: string;
  /** Micro-dollars; null if there was, or is, no such price. */
  from: number | null;
  to: number | null;
  /** True if the file's price applies again. */
  reset: boolean;
};

export interface BookState {
  /** Differs once anything in the book has changed. */
  version: string;
  /** The GPU types of MIG devices that machines have or had, in the order of their appearance. */
  sliceTypes: readonly string[];
  /** The GPU types that the catalog's file does not have and the operator gave a price, now or before. */
  ownTypes: readonly GpuTypeFacts[];
}

interface BookRow {
  seq: number;
  slice_types: string;
  own_types: string;
}

/** No price changes until the transaction commits. */
export function* lockBookShared(): Tx<BookState> {
  return yield* bookState("/*+ for share */");
}

/** No price changes, and no other transaction prices anything, until the transaction commits. */
export function* lockBook(): Tx<BookState> {
  return yield* bookState("/*+ for update */");
}

export function* readBook(): Tx<BookState> {
  return yield* bookState("");
}

function* bookState(lock: string): Tx<BookState> {
  const sql = `select seq, slice_types, own_types from price_book ${lock}`;
  const { seq, slice_types, own_types } = (yield* row<BookRow>(sql))!;
  return {
    version: `${seq} ${slice_types} ${own_types}`,
    sliceTypes: JSON.parse(slice_types) as string[],
    ownTypes: JSON.parse(own_types) as GpuTypeFacts[],
  };
}

/** Call lockBook before. */
export function* setSliceTypes(sliceTypes: readonly string[]): Tx<void> {
  yield* change("update price_book set slice_types = ?", JSON.stringify(sliceTypes));
  yield* notify(topic.prices);
}

/** Call lockBook before. */
export function* setOwnTypes(ownTypes: readonly GpuTypeFacts[]): Tx<void> {
  yield* change("update price_book set own_types = ?", JSON.stringify(ownTypes));
  yield* notify(topic.prices);
  yield* notify(topic.changed(ALL_ACCOUNTS, "price", ""));
}

/** The current setting of each price that was ever changed. */
export function* priceSettings(): Tx<PriceSetting[]> {
  return yield* rows<PriceSetting>(
    `select kind, id, price, case when reset = 1 then null else micros_to end as micros
     from price_change where seq in (select max(seq) from price_change group by kind, id, price)`,
  );
}

export function* addChange(priceChange: Omit<PriceChange, "seq">): Tx<void> {
  const added = yield* row<{ seq: number }>(
    `insert into price_change (at, key_id, kind, id, price, micros_from, micros_to, reset)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning seq`,
    priceChange.at,
    priceChange.keyId,
    priceChange.kind,
    priceChange.id,
    priceChange.price,
    priceChange.from,
    priceChange.to,
    Number(priceChange.reset),
  );
  yield* change("update price_book set seq = ?", added!.seq);
  yield* notify(topic.prices);
  yield* notify(topic.changed(ALL_ACCOUNTS, "price", priceChange.id));
}

/** The newest first, before the change with the `seq` of `before`; null for all. */
export function* priceChanges(before: number | null, limit: number): Tx<PriceChange[]> {
  const found = yield* rows<Omit<PriceChange, "reset"> & { reset: number }>(
    `select seq, at, key_id as "keyId", kind, id, price, micros_from as "from", micros_to as "to",
       reset
     from price_change where seq < ? order by seq desc limit ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
  return found.map((each) => ({ ...each, reset: each.reset === 1 }) as PriceChange);
}
