// A check of a sign-in: the provider is asked whether the person may still use the service, and with which role.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { UnsealError, type Vault } from "../../base/vault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { decideRole } from "../../domain/sign-in/decide-role.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import { CHECK_AGAIN_MS, type SignIn } from "../../domain/sign-in/sign-in.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  claimCheck,
  postponeCheck,
  saveCheck,
  withdrawSignIn,
} from "../../transactions/sign-in/check.ts";
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

/** Returns the problem that kept the provider from answering; null if there was none. */
export async function checkSignIn(deps: CheckDeps, due: SignIn): Promise<SignInProblem | null> {
  const { provider, store, clock, protocol } = deps;
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
    await ask(deps, provider, signIn, signIn.refreshToken);
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
  deps: CheckDeps,
  provider: OidcProvider,
  signIn: SignIn,
  sealed: string,
): Promise<void> {
  const { store, clock, vault, protocol } = deps;
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
  const reason = await store.write(saveCheck, {
    signIn,
    decision,
    now,
    nextCheckAt: now + protocol.signInCheckMs,
    session: answer.session,
    refreshToken: vault.seal(answer.refreshToken ?? token, owner),
  });
  if (reason !== null) logEnd(deps, signIn, reason);
}

async function end(deps: CheckDeps, signIn: SignIn, reason: string): Promise<void> {
  await deps.store.write(withdrawSignIn, signIn.id, reason, deps.clock.now());
  logEnd(deps, signIn, reason);
}

function logEnd({ log }: CheckDeps, { memberId }: SignIn, reason: string): void {
  log.warn({ memberId }, `a sign-in ended, with its session and its API keys: ${reason}`);
}
