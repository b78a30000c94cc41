// A check of a sign-in: the provider is asked whether the person may still use the service, and with which role.

import { type Clock, Deadline } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { UnsealError, type Vault } from "../../base/vault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { decideRole } from "../../domain/sign-in/decide-role.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import { CHECK_AGAIN_MS, CHECK_CLAIM_MS, type SignIn } from "../../domain/sign-in/sign-in.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  claimCheck,
  postponeCheck,
  saveCheck,
  withdrawSignIn,
} from "../../transactions/sign-in/check.ts";
import { retryWhileUnavailable } from "../store-unavailable.ts";
import { refreshTokenOwner } from "./finish.ts";
import type { OidcProvider } from "./oidc-provider.ts";

export interface CheckDeps {
  /** Null if the operator configured none. */
  provider: OidcProvider | null;
  store: Store;
  clock: Clock;
  log: Logger;
  vault: Vault;
  protocol: Pick<Protocol, "signInCheckMs">;
}

const NEVER = new AbortController().signal;

/** Returns the problem that kept the provider from answering; null if there was none. */
export async function checkSignIn(deps: CheckDeps, due: SignIn): Promise<SignInProblem | null> {
  const { provider, store, clock, protocol } = deps;
  const deadline = new Deadline(clock, CHECK_CLAIM_MS);
  const signIn = await store.write(claimCheck, due, clock.now());
  if (!signIn) return null;
  const { id, issuer } = signIn;
  if (provider?.settings.issuer !== issuer) {
    await end(deps, signIn, "the provider is not configured any more");
    return null;
  }
  if (signIn.refreshToken === null) {
    await store.write(postponeCheck, id, clock.now() + protocol.signInCheckMs);
    return null;
  }
  try {
    await ask({ ...deps, deadline }, provider, signIn, signIn.refreshToken);
    return null;
  } catch (error) {
    if (error instanceof UnsealError) {
      await end(deps, signIn, "its refresh token cannot be unsealed");
      return null;
    }
    if (!(error instanceof SignInProblem)) throw error;
    if (error.code === "denied") {
      await end(deps, signIn, error.message);
      return null;
    }
    const pauseMs = Math.min(CHECK_AGAIN_MS, protocol.signInCheckMs);
    await store.write(postponeCheck, id, clock.now() + pauseMs);
    return error;
  }
}

async function ask(
  deps: CheckDeps & { deadline: Deadline },
  provider: OidcProvider,
  signIn: SignIn,
  sealed: string,
): Promise<void> {
  const { store, clock, vault, protocol, deadline } = deps;
  const { id } = signIn;
  const owner = refreshTokenOwner(id);
  const token = vault.open(sealed, owner);
  const answer = await provider.refresh(token, signIn.subject);
  const decision = decideRole(provider.settings, answer.claims);
  if (decision.kind === "unknown") {
    deps.log.warn(
      { memberId: signIn.memberId },
      "the sign-in provider no longer names the groups; the role stays",
    );
  }
  const now = clock.now();
  const confirmation = {
    signIn,
    decision,
    now,
    nextCheckAt: now + protocol.signInCheckMs,
    session: answer.session,
    refreshToken: vault.seal(answer.refreshToken ?? token, owner),
  };
  // Providers that renew refresh tokens end the sign-in of a client that sends an earlier one again.
  const reason = await retryWhileUnavailable({ deadline, signal: () => NEVER }, () =>
    store.write(saveCheck, confirmation),
  );
  if (reason !== null) logEnd(deps, signIn, reason);
}

async function end(deps: CheckDeps, signIn: SignIn, reason: string): Promise<void> {
  await deps.store.write(withdrawSignIn, signIn.id, reason, deps.clock.now());
  logEnd(deps, signIn, reason);
}

function logEnd({ log }: CheckDeps, { memberId }: SignIn, reason: string): void {
  log.warn({ memberId }, `a sign-in ended, with its session and its API keys: ${reason}`);
}
