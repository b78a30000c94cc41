// The start of a sign-in: the address of the provider, and the sealed attempt that the browser brings back. The attempt
// is with the browser, so that any replica can complete the sign-in. A browser has one for each tab that signs in.

import type { Clock } from "../../base/clock.ts";
import type { Vault } from "../../base/vault.ts";
import { SIGN_IN_MS } from "../../domain/sign-in/sign-in.ts";
import type { OidcProvider, ProviderRequest } from "./oidc-provider.ts";

/** What the browser brings back, sealed. */
export interface SignInAttempt extends ProviderRequest {
  /** The page to open afterwards. */
  next: string;
  /** The network of the browser; null over TLS. */
  network: string | null;
  expiresAt: number;
}

const OWNER = "sign-in attempt";

export interface BeginDeps {
  provider: OidcProvider;
  vault: Vault;
  clock: Clock;
}

export async function beginSignIn(
  { provider, vault, clock }: BeginDeps,
  { redirectUri, next, network }: { redirectUri: string; next: string; network: string | null },
): Promise<{ url: string; sealed: string }> {
  const { url, request } = await provider.begin(redirectUri);
  const expiresAt = clock.now() + SIGN_IN_MS;
  const attempt: SignInAttempt = { ...request, next, network, expiresAt };
  return { url, sealed: vault.seal(JSON.stringify(attempt), OWNER) };
}

/** Null if it was not sealed here. */
export function openAttempt(vault: Vault, sealed: string): SignInAttempt | null {
  try {
    return JSON.parse(vault.open(sealed, OWNER)) as SignInAttempt;
  } catch {
    return null;
  }
}
