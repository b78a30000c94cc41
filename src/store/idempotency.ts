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

export function* answeredBefore(once: Once, now: number): Verb<Before> {
  const found = yield* row<{ fingerprint: string; answer: string }>(
    "select fingerprint, answer from idempotency where account_id = ? and key = ? and expires_at > ?",
    once.accountId,
    once.key,
    now,
  );
  if (!found) return null;
  return found.fingerprint === once.fingerprint ? { answer: found.answer } : "conflict";
}

export function* rememberAnswer(once: Once, answer: string, now: number): Verb<void> {
  yield* change(
    `insert into idempotency (account_id, key, fingerprint, answer, expires_at)
     values (?, ?, ?, ?, ?)
     on conflict (account_id, key) do update set
       fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at`,
    once.accountId,
    once.key,
    once.fingerprint,
    answer,
    now + KEPT_MS,
  );
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
  const before = yield* answeredBefore(once, now);
  if (before === "conflict") return before;
  if (before) return { answer: JSON.parse(before.answer) as Result };
  const answer = yield* create();
  if (answer !== null) yield* rememberAnswer(once, JSON.stringify(answer), now);
  return { answer };
}

export function* forgetAnswers(now: number): Verb<number> {
  return yield* change("delete from idempotency where expires_at <= ?", now);
}
