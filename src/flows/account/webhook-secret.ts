// The secret that an account's webhooks are signed with: made or replaced, shown once, dropped.

import type { Ids } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { isWebhookSecret } from "../../domain/webhook/signature.ts";
import { setWebhookSecret } from "../../store/account/account.ts";
import type { Store } from "../../store/store.ts";

/** Replaces the secret by the chosen one or a new one; it holds from the next try of a delivery on. */
export async function replaceWebhookSecret(
  { store, ids }: { store: Store; ids: Ids },
  accountId: string,
  chosen: string | null,
): Promise<string> {
  if (chosen !== null && !isWebhookSecret(chosen)) {
    const detail =
      '"secret" must be "whsec_" and 24 to 64 bytes in base64; leave it out for a new one.';
    throw new Fault("invalid_body", { detail });
  }
  const secret = chosen ?? ids.secret("whsec_");
  await store.write(setWebhookSecret, accountId, secret);
  return secret;
}

/** From the next try on nothing is signed. */
export async function dropWebhookSecret(
  { store }: { store: Store },
  accountId: string,
): Promise<void> {
  await store.write(setWebhookSecret, accountId, null);
}
