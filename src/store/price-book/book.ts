// The price book: what the operator has set otherwise than the catalog's file, change by change. Only
// ever added to.

import type { PriceName, PriceSetting } from "../../domain/catalog/prices.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { EVERYBODY, topic } from "../wakes.ts";

export type PriceChange = PriceName & {
  /** Rises with every change. */
  seq: number;
  at: number;
  /** Of the operator's API key. */
  keyId: string;
  /** Micro-dollars; null where there was, or is, no such price. */
  from: number | null;
  to: number | null;
  /** True where it is the file's from now on. */
  reset: boolean;
};

/** The last change's; nobody changes a price before the surrounding turn is committed. */
export function* holdSeq(): Verb<number> {
  return (yield* row<{ seq: number }>("select seq from price_book /*+ for share */"))!.seq;
}

/** The same, and nobody prices anything either. */
export function* lockSeq(): Verb<number> {
  return (yield* row<{ seq: number }>("select seq from price_book /*+ for update */"))!.seq;
}

export function* readSeq(): Verb<number> {
  return (yield* row<{ seq: number }>("select seq from price_book"))!.seq;
}

/** What is set of each price that was ever changed. */
export function* settings(): Verb<PriceSetting[]> {
  return yield* rows<PriceSetting>(
    `select kind, id, price, case when reset = 1 then null else micros_to end as micros
     from price_change where seq in (select max(seq) from price_change group by kind, id, price)`,
  );
}

export function* addChange(made: Omit<PriceChange, "seq">): Verb<void> {
  const added = yield* row<{ seq: number }>(
    `insert into price_change (at, key_id, kind, id, price, micros_from, micros_to, reset)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning seq`,
    made.at,
    made.keyId,
    made.kind,
    made.id,
    made.price,
    made.from,
    made.to,
    Number(made.reset),
  );
  yield* change("update price_book set seq = ?", added!.seq);
  yield* ring(topic.prices);
  yield* ring(topic.changed(EVERYBODY, "price", made.id));
}

/** The newest first; `before` is a change's seq, null for the newest of all. */
export function* priceChanges(before: number | null, limit: number): Verb<PriceChange[]> {
  const found = yield* rows<Omit<PriceChange, "reset"> & { reset: number }>(
    `select seq, at, key_id as "keyId", kind, id, price, micros_from as "from", micros_to as "to",
       reset
     from price_change where seq < ? order by seq desc limit ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
  return found.map((each) => ({ ...each, reset: each.reset === 1 }) as PriceChange);
}
