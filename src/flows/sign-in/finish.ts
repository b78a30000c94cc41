// The end of a sign-in: the provider's answer becomes a member and a session.

import { hashSecret } from "../../base/ids.ts";
import { isSameText } from "../../base/text/same-text.ts";
import type { Vault } from "../../base/vault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Session } from "../../domain/session.ts";
import { decideRole } from "../../domain/sign-in/decide-role.ts";
import { personIn } from "../../domain/sign-in/person.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import { enterBySignIn } from "../../transactions/sign-in/enter.ts";
import { spendState } from "../../transactions/sign-in/spend-state.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { draftSession, type SessionSource } from "../session/draft-session.ts";
import type { SignInAttempt } from "./begin.ts";
import type { OidcProvider, ProviderAnswer } from "./oidc-provider.ts";

export interface FinishDeps extends FlowDeps {
  provider: OidcProvider;
  vault: Vault;
  protocol: Pick<Protocol, "sessionMs" | "uncheckedSessionMs" | "signInCheckMs">;
}

export interface Callback extends SessionSource {
  /** The address to which the provider sent the browser. */
  url: URL;
  /** Those that the browser has begun here. */
  attempts: readonly SignInAttempt[];
}

/** The secret is the session's; only its hash is stored. Throws a SignInProblem. */
export async function finishSignIn(
  deps: FinishDeps,
  callback: Callback,
): Promise<{ session: Session; secret: string; next: string }> {
  const { provider, store, clock } = deps;
  const attempt = requireAttempt(callback, clock.now());
  const { state, next } = attempt;
  // The code is exchanged once: providers end everything that came of a code that is used again.
  const isFirst = await store.write(spendState, hashSecret(state), attempt.expiresAt);
  if (!isFirst)
    throw new SignInProblem(
      "code_used",
      "the sign-in was completed before: its state and code are used",
    );
  const exchangedAt = clock.now();
  const answer = await provider.exchange(callback.url, attempt);
  return { ...(await enter(deps, callback, { ...answer, exchangedAt })), next };
}

function requireAttempt({ url, attempts, network }: Callback, now: number): SignInAttempt {
  const problem = (message: string) => new SignInProblem("not_begun", message);
  if (attempts.length === 0)
    throw problem("the browser has no sign-in that was begun here, or its cookie is not valid");
  const attempt = attempts.find((each) => isAnswerTo(each, url));
  if (!attempt) throw problem("the state is that of another sign-in than the browser's");
  if (attempt.expiresAt <= now) throw problem("the sign-in was begun more than 10 minutes ago");
  if (attempt.network !== network) throw problem("the sign-in was begun from another network");
  return attempt;
}

/** Whether the provider sent the browser to this address for the attempt. */
export function isAnswerTo({ state }: SignInAttempt, { searchParams }: URL): boolean {
  const states = searchParams.getAll("state");
  return states.length === 1 && isSameText(states[0]!, state);
}

async function enter(
  { provider, store, clock, ids, vault, protocol }: FinishDeps,
  source: Callback,
  { subject, session, claims, refreshToken, exchangedAt }: ProviderAnswer & { exchangedAt: number },
): Promise<{ session: Session; secret: string }> {
  const { settings } = provider;
  const now = clock.now();
  const id = ids.short(14);
  const { sessionMs, uncheckedSessionMs, signInCheckMs } = protocol;
  const lifetimeMs = refreshToken === null ? Math.min(uncheckedSessionMs, sessionMs) : sessionMs;
  const draft = draftSession(ids, source, now, lifetimeMs);
  const entered = await store.write(enterBySignIn, {
    person: personIn(claims),
    decision: decideRole(settings, claims),
    defaultRole: settings.defaultRole,
    memberId: ids.short(14),
    address: source.address,
    exchangedAt,
    signIn: {
      id,
      issuer: settings.issuer,
      subject,
      session,
      createdAt: now,
      refreshToken: refreshToken && vault.seal(refreshToken, refreshTokenOwner(id)),
      nextCheckAt: now + signInCheckMs,
    },
    key: { id: ids.short(14), name: `Sign-in with ${settings.name}` },
    keyHash: hashSecret(ids.secret("fh_")),
    session: draft.session,
    sessionHash: draft.hash,
  });
  if (entered instanceof SignInProblem) throw entered;
  return { session: entered.session, secret: draft.secret };
}

/** What a refresh token is sealed for. */
export const refreshTokenOwner = (signInId: string) => `sign-in:${signInId}`;
