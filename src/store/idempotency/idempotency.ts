// The table `idempotency`: the answers to requests with an Idempotency-Key, for a day. An answer is
// stored in the transaction of what the request created.

import { DAY_MS } from "../../base/units.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { change, row, type Tx } from "../engine/statement.ts";

export const RETENTION_MS = DAY_MS;

type PriorUse = { answer: string } | "conflict" | null;

function* findPriorUse(once: IdempotencyKey, now: number): Tx<PriorUse> {
  const found = yield* row<{ fingerprint: string; answer: string }>(
    "select fingerprint, answer from idempotency where account_id = ? and key = ? and expires_at > ?",
    once.accountId,
    once.key,
    now,
  );
  if (!found) return null;
  const isSame = [once.fingerprint, once.plainFingerprint].includes(found.fingerprint);
  return isSame ? { answer: found.answer } : "conflict";
}

/**
 * Claims the key, or returns its prior use. A request with the same key on another replica waits
 * here until this transaction commits.
 */
function* claimKey(once: IdempotencyKey, now: number): Tx<PriorUse> {
  const prior = yield* findPriorUse(once, now);
  if (prior) return prior;
  const claims = yield* change(
    `insert into idempotency (account_id, key, fingerprint, answer, expires_at)
     values (?, ?, ?, '', ?)
     on conflict (account_id, key) do update set
       fingerprint = excluded.fingerprint, answer = '', expires_at = excluded.expires_at
     where idempotency.expires_at <= ?`,
    once.accountId,
    once.key,
    once.fingerprint,
    now + RETENTION_MS,
    now,
  );
  return claims > 0 ? null : yield* findPriorUse(once, now);
}

function* storeAnswer({ accountId, key }: IdempotencyKey, answer: string): Tx<void> {
  yield* change(
    "update idempotency set answer = ? where account_id = ? and key = ?",
    answer,
    accountId,
    key,
  );
}

function* releaseKey({ accountId, key }: IdempotencyKey): Tx<void> {
  yield* change("delete from idempotency where account_id = ? and key = ?", accountId, key);
}

/**
 * Runs a transaction that creates something once per key. Later calls do not run it and return the
 * first answer. A null answer means that nothing was created, and is not stored.
 */
export function* doOnce<Result>(
  once: IdempotencyKey | null,
  now: number,
  create: () => Tx<Result>,
): Tx<{ answer: Result; isReplay: boolean } | "conflict"> {
  if (!once) return { answer: yield* create(), isReplay: false };
  const prior = yield* claimKey(once, now);
  if (prior === "conflict") return prior;
  if (prior) return { answer: JSON.parse(prior.answer) as Result, isReplay: true };
  const answer = yield* create();
  if (answer === null) yield* releaseKey(once);
  else yield* storeAnswer(once, JSON.stringify(answer));
  return { answer, isReplay: false };
}

export function* forgetAnswers(now: number): Tx<number> {
  return yield* change("delete from idempotency where expires_at <= ?", now);
}
