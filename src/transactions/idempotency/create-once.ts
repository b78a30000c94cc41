// Creates something once per Idempotency-Key.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { doOnce } from "../../store/idempotency/idempotency.ts";

/** A repeated request gets the first result. A refusal is not remembered. */
export function* createOnce<Result>(
  once: IdempotencyKey | null,
  now: number,
  create: () => Tx<Result | Fault>,
): Tx<Result | Fault> {
  let refusal: Fault | null = null;
  const done = yield* doOnce(once, now, function* (): Tx<Result | null> {
    const result = yield* create();
    if (!(result instanceof Fault)) return result;
    refusal = result;
    return null;
  });
  if (done === "conflict") return new Fault("idempotency_conflict");
  return done.answer ?? refusal!;
}
