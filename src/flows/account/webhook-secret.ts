// Setting and removing the secret that signs an account's webhooks.

import type { Ids } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { isWebhookSecret } from "../../domain/webhook/signature.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveWebhookSecret } from "../../transactions/account/change.ts";

/** Sets the caller's secret or a new one; it signs from the next try of a delivery. */
export async function replaceWebhookSecret(
  { store, ids }: { store: Store; ids: Ids },
  accountId: string,
  ownSecret: string | null,
): Promise<string> {
  if (ownSecret !== null && !isWebhookSecret(ownSecret)) {
    const detail =
      '"webhookSecret" must be "whsec_" and 24 to 64 bytes in base64, padded with "="; "generate" makes a new one.';
    throw new Fault("invalid_body", { detail });
  }
  const secret = ownSecret ?? ids.secret("whsec_");
  await store.write(saveWebhookSecret, accountId, secret);
  return secret;
}

/** Removes the secret; later tries are not signed. */
export async function dropWebhookSecret(
  { store }: { store: Store },
  accountId: string,
): Promise<void> {
  await store.write(saveWebhookSecret, accountId, null);
}
