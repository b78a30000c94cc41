// The table `used_sign_in`: the states of sign-ins that were completed, so that none is completed twice.

import { change, type Tx } from "../engine/statement.ts";

/** False if the state was used before. */
export function* useState(hash: string, expiresAt: number): Tx<boolean> {
  const inserted = yield* change(
    "insert into used_sign_in (hash, expires_at) values (?, ?) on conflict (hash) do nothing",
    hash,
    expiresAt,
  );
  return inserted > 0;
}

export function* forgetStates(expiredBefore: number): Tx<void> {
  yield* change("delete from used_sign_in where expires_at < ?", expiredBefore);
}
