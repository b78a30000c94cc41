// Exempting Pods from stops for being idle and from maximum lifetimes, by an admin of their account or the operator.

import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Exemption, lasting } from "../../domain/usage/exemption.ts";
import { exemptionsOf } from "../../store/account/exemptions.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  type Acting,
  addExemption,
  removeExemption,
  requireManaged,
} from "../../transactions/exemption/write.ts";
import { createOnceIn } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

export interface NewExemption
  extends Pick<Exemption, "kind" | "target" | "until" | "reason" | "createdBy"> {
  once: IdempotencyKey | null;
}

export async function createExemption(
  { store, clock, ids }: FlowDeps,
  acting: Acting,
  { once, ...fields }: NewExemption,
): Promise<Exemption> {
  const now = clock.now();
  const exemption = { ...fields, id: ids.short(14), createdAt: now };
  // A repeated request gets the first answer, though its end may have passed since.
  return createOnceIn({ store, once, now }, function* (): Tx<Exemption | Fault> {
    if (exemption.until !== null && exemption.until <= now)
      return new Fault("invalid_body", { detail: '"until" is in the past.' });
    return yield* addExemption(acting, exemption);
  });
}

export function readExemptions(
  { store, clock }: Pick<FlowDeps, "store" | "clock">,
  acting: Acting,
): Promise<Exemption[]> {
  return throwRefusal(store.read(readManaged, acting, clock.now()));
}

function* readManaged(acting: Acting, now: number): Tx<Exemption[] | Fault> {
  const refusal = yield* requireManaged(acting);
  return refusal ?? lasting(yield* exemptionsOf(acting.accountId), now);
}

export async function deleteExemption(
  { store }: Pick<FlowDeps, "store">,
  acting: Acting,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeExemption, acting, id));
}
