// The secret key, from which workers' keys and the keys between replicas are derived. All processes
// on one store need the same key, so the store keeps a fingerprint that every start compares.

import { createHmac } from "node:crypto";
import { Refusal } from "../base/refusal.ts";
import type { Store } from "../store/engine/store.ts";
import { ensureSetting } from "../store/setting/setting.ts";

/** Derives 64 hexadecimal digits that only a holder of the secret key can compute. */
export function derived(secretKey: string, purpose: string): string {
  return createHmac("sha256", Buffer.from(secretKey, "hex")).update(purpose).digest("hex");
}

/** Throws Refusal if the store was first used with another key. */
export async function checkSecretKey(store: Store, secretKey: string): Promise<void> {
  const mark = derived(secretKey, "mark");
  if ((await store.write(ensureSetting, "secret_key_mark", mark)) === mark) return;
  await store.close();
  throw new Refusal(
    store.alone
      ? "this store was created with another secret key; restore that key in secret.key, or set it in FREEHOLD_SECRET_KEY"
      : "the other replicas on this database use another secret key; set the same FREEHOLD_SECRET_KEY for all of them",
  );
}
