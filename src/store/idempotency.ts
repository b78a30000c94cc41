// Answers that were given under an Idempotency-Key, kept for a day in the transaction of what they
// answer for.

import { change, row, type Verb } from "./statement.ts";

export const KEPT_MS = 24 * 3_600_000;

export interface Once {
  accountId: string;
  key: string;
  /** A digest of method, path and body: the same key with another one is a conflict. */
  fingerprint: string;
}

export type Before = { answer: string } | "conflict" | null;

function* answeredBefore(once: Once, now: number): Verb<Before> {
  const found = yield* row<{ fingerprint: string; answer: string }>(
    "select fingerprint, answer from idempotency where account_id = ? and key = ? and expires_at > ?",
    once.accountId,
    once.key,
    now,
  );
  if (!found) return null;
  return found.fingerprint === once.fingerprint ? { answer: found.answer } : "conflict";
}

/**
 * Takes the key for the surrounding turn, or finds what it was used for. Whoever comes with the same
 * key meanwhile, on another replica, waits here until that turn is committed.
 */
function* takeKey(once: Once, now: number): Verb<Before> {
  const before = yield* answeredBefore(once, now);
  if (before) return before;
  const taken = yield* change(
    `insert into idempotency (account_id, key, fingerprint, answer, expires_at)
     values (?, ?, ?, '', ?)
     on conflict (account_id, key) do update set
       fingerprint = excluded.fingerprint, answer = '', expires_at = excluded.expires_at
     where idempotency.expires_at <= ?`,
    once.accountId,
    once.key,
    once.fingerprint,
    now + KEPT_MS,
    now,
  );
  return taken > 0 ? null : yield* answeredBefore(once, now);
}

function* keepAnswer({ accountId, key }: Once, answer: string): Verb<void> {
  yield* change(
    "update idempotency set answer = ? where account_id = ? and key = ?",
    answer,
    accountId,
    key,
  );
}

function* leaveKey({ accountId, key }: Once): Verb<void> {
  yield* change("delete from idempotency where account_id = ? and key = ?", accountId, key);
}

/**
 * Runs a creating verb once per key: the first time it runs and its answer is remembered, later it
 * is not run and the first answer comes back. A null means that nothing was created, and is not
 * remembered.
 */
export function* doOnce<Result>(
  once: Once | null,
  now: number,
  create: () => Verb<Result>,
): Verb<{ answer: Result } | "conflict"> {
  if (!once) return { answer: yield* create() };
  const before = yield* takeKey(once, now);
  if (before === "conflict") return before;
  if (before) return { answer: JSON.parse(before.answer) as Result };
  const answer = yield* create();
  if (answer === null) yield* leaveKey(once);
  else yield* keepAnswer(once, JSON.stringify(answer));
  return { answer };
}

export function* forgetAnswers(now: number): Verb<number> {
  return yield* change("delete from idempotency where expires_at <= ?", now);
}
