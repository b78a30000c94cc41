// The table `used_logout_token`: the logout tokens that the provider sent, so that none counts twice.

import { change, type Tx } from "../engine/statement.ts";

/** False if the token was used before. */
export function* useLogoutToken(hash: string, expiresAt: number): Tx<boolean> {
  const inserted = yield* change(
    "insert into used_logout_token (hash, expires_at) values (?, ?) on conflict (hash) do nothing",
    hash,
    expiresAt,
  );
  return inserted > 0;
}

export function* forgetLogoutTokens(expiredBefore: number): Tx<void> {
  yield* change("delete from used_logout_token where expires_at < ?", expiredBefore);
}
