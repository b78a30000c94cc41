// A logout that the provider sent by itself: the sign-ins of the session, or of the person, end.

import type { Clock } from "../../base/clock.ts";
import { hashSecret } from "../../base/ids.ts";
import type { Logger } from "../../base/log.ts";
import { LogoutRefusal } from "../../domain/sign-in/logout-refusal.ts";
import { readLogout } from "../../domain/sign-in/logout-token.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import type { Store } from "../../store/engine/store.ts";
import { logOut } from "../../transactions/sign-in/log-out.ts";
import { isStoreUnavailable } from "../store-unavailable.ts";
import type { OidcProvider } from "./oidc-provider.ts";

export interface LogoutDeps {
  /** Null if the operator configured none. */
  provider: OidcProvider | null;
  store: Store;
  clock: Clock;
  log: Logger;
}

/** Throws a LogoutRefusal. A logout of a session that is not known here succeeds. */
export async function logOutByProvider(deps: LogoutDeps, token: string): Promise<void> {
  try {
    await logOutBy(deps, token);
  } catch (error) {
    throw refusalOf(error);
  }
}

async function logOutBy({ provider, store, clock, log }: LogoutDeps, token: string): Promise<void> {
  if (!provider) throw new LogoutRefusal("invalid_request", "no provider is configured; set oidc");
  const { issuer, clientId } = provider.settings;
  const { issuerName, ...signed } = await provider.verify(token);
  const logout = readLogout(signed, { issuer: issuerName, clientId, now: clock.now() });
  const signIns = await store.write(logOut, {
    issuer,
    subject: logout.subject,
    session: logout.session,
    now: clock.now(),
    tokenHash: hashSecret(JSON.stringify([issuer, logout.tokenId])),
    tokenExpiresAt: logout.expiresAt,
  });
  if (!signIns) throw new LogoutRefusal("invalid_request", "the logout token was used before");
  const memberIds = [...new Set(signIns.map(({ memberId }) => memberId))];
  log.info(
    { memberIds, signIns: signIns.length },
    "the sign-in provider ended sign-ins, with their sessions and API keys",
  );
}

/** A failure on the way is none of the token's. */
function refusalOf(error: unknown): unknown {
  if (error instanceof SignInProblem) return new LogoutRefusal(CODE, error.message);
  return isStoreUnavailable(error) ? new LogoutRefusal(CODE, "the store is unavailable") : error;
}

const CODE = "temporarily_unavailable";
