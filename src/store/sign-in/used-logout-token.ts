// The table `used_logout_token`: the logout tokens that the provider sent, so that none counts twice, and so that none
// misses a sign-in that is being stored.

import { change, rows, type Tx } from "../engine/statement.ts";
import type { ProviderSessions } from "./sign-in.ts";

export interface UsedLogoutToken extends ProviderSessions {
  hash: string;
  usedAt: number;
  /** When the row is deleted. */
  expiresAt: number;
}

/** False if the token was used before. */
export function* useLogoutToken(token: UsedLogoutToken): Tx<boolean> {
  const { hash, issuer, subject, session, usedAt, expiresAt } = token;
  const inserted = yield* change(
    `insert into used_logout_token (hash, issuer, subject, provider_session, used_at, expires_at)
     values (?, ?, ?, ?, ?, ?) on conflict (hash) do nothing`,
    ...[hash, issuer, subject, session, usedAt, expiresAt],
  );
  return inserted > 0;
}

/** Whether the provider ended this session, or all of the person's, after `since`. */
export function* isLoggedOut(
  { issuer, subject, session }: ProviderSessions & { subject: string },
  since: number,
): Tx<boolean> {
  const tokens = yield* rows<Pick<ProviderSessions, "subject" | "session">>(
    `select subject, provider_session as session from used_logout_token
     where issuer = ? and used_at > ? and (subject = ? or subject is null)`,
    ...[issuer, since, subject],
  );
  return tokens.some((token) =>
    token.session === null || session === null ? token.subject !== null : token.session === session,
  );
}

export function* forgetLogoutTokens(expiredBefore: number): Tx<void> {
  yield* change("delete from used_logout_token where expires_at < ?", expiredBefore);
}
