// Creates something once per Idempotency-Key.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { doOnce } from "../../store/idempotency/idempotency.ts";

const replays = new WeakSet<object>();

/** True for the result of an earlier request, which a repeated one got. */
export function isReplay(result: unknown): boolean {
  return typeof result === "object" && result !== null && replays.has(result);
}

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
  if (done.isReplay && typeof done.answer === "object") replays.add(done.answer!);
  return done.answer ?? refusal!;
}
