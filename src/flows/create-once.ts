// Creating something once per Idempotency-Key. A secret that only the first answer would contain is stored sealed with
// the answer, for the day in which the request may be repeated, so that a client that lost the answer still gets it.

import type { Vault } from "../base/vault.ts";
import { Fault } from "../domain/fault.ts";
import type { IdempotencyKey } from "../domain/idempotency-key.ts";
import type { Tx } from "../store/engine/statement.ts";
import type { Store } from "../store/engine/store.ts";
import { createOnce } from "../transactions/idempotency/create-once.ts";
import { throwRefusal } from "./throw-refusal.ts";

interface Once {
  store: Store;
  once: IdempotencyKey | null;
  now: number;
}

/** Throws the refusal of `create`. A repeated request gets the first result. */
export function createOnceIn<Result>(
  { store, once, now }: Once,
  create: () => Tx<Result | Fault>,
): Promise<Exclude<Result, Fault>> {
  return throwRefusal(store.write(createOnce<Result>, once, now, create));
}

/**
 * For a request whose answer has a secret: another API key of the account that repeats it gets a conflict and not the
 * secret, because it may have fewer permissions, or be another member's.
 */
export const ofCaller = (once: IdempotencyKey | null) =>
  once && {
    ...once,
    fingerprint: `${once.fingerprint}:${once.callerKeyId}`,
    plainFingerprint: `${once.plainFingerprint}:${once.callerKeyId}`,
  };

/** Like `createOnceIn`, for something with a secret that is stored nowhere else in a form that could be read again. */
export async function createWithSecretOnce<Result>(
  { vault, ...once }: Once & { vault: Vault },
  secret: string,
  create: () => Tx<Result | Fault>,
): Promise<{ created: Result; secret: string }> {
  if (!once.once) return { created: (await createOnceIn(once, create)) as Result, secret };
  const owner = `answer:${once.once.accountId}:${once.once.key}`;
  const sealed = vault.seal(secret, owner);
  const answer = await createOnceIn({ ...once, once: ofCaller(once.once) }, function* (): Tx<
    SealedAnswer<Result> | Fault
  > {
    const created = yield* create();
    return created instanceof Fault ? created : { created, sealed };
  });
  const { created, sealed: first } = answer as SealedAnswer<Result>;
  return { created, secret: vault.open(first, owner) };
}

interface SealedAnswer<Result> {
  created: Result;
  sealed: string;
}
