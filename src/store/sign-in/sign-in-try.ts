// The table `sign_in_try`: how often passwords were tried, so that replicas agree.

import { change, row, type Tx } from "../engine/statement.ts";

export interface TryCount {
  tries: number;
  /** The end of the window that they count in. */
  endsAt: number;
}

/** Counts one more, also beyond a limit. A window begins with its first try, and a clock that steps back does not make it longer. */
export function* countTry(subject: string, now: number, windowMs: number): Tx<TryCount> {
  const counted = yield* row<TryCount>(
    `insert into sign_in_try (subject, tries, ends_at) values (?, 1, ?)
     on conflict (subject) do update set
       tries = case when sign_in_try.ends_at <= ? then 1 else sign_in_try.tries + 1 end,
       ends_at = case when sign_in_try.ends_at <= ? or sign_in_try.ends_at > excluded.ends_at
         then excluded.ends_at else sign_in_try.ends_at end
     returning tries, ends_at as "endsAt"`,
    subject,
    now + windowMs,
    now,
    now,
  );
  return { tries: Number(counted!.tries), endsAt: Number(counted!.endsAt) };
}

export function* forgetTriesOf(subject: string): Tx<void> {
  yield* change("delete from sign_in_try where subject = ?", subject);
}

/** Takes back a try that was no guess. The others stay: a success may be made to clear guesses of something else. */
export function* forgiveTry(subject: string): Tx<void> {
  yield* change(
    "update sign_in_try set tries = tries - 1 where subject = ? and tries > 0",
    subject,
  );
}

export function* forgetTries(before: number): Tx<void> {
  yield* change("delete from sign_in_try where ends_at < ?", before);
}
