// The secret key: what workers' keys and the replicas' own talk are derived from. All that use one
// store must have the same, so what tells keys apart is kept there and compared at every start.

import { createHmac } from "node:crypto";
import { settleSetting } from "../store/setting.ts";
import type { Store } from "../store/store.ts";
import { Refusal } from "./refusal.ts";

/** Something that only who has the secret key can make, as 64 hexadecimal digits. */
export function derived(secretKey: string, purpose: string): string {
  return createHmac("sha256", Buffer.from(secretKey, "hex")).update(purpose).digest("hex");
}

/** Throws Refusal where the store was first used with another key. */
export async function checkSecretKey(store: Store, secretKey: string): Promise<void> {
  const mark = derived(secretKey, "mark");
  if ((await store.write(settleSetting, "secret_key_mark", mark)) === mark) return;
  await store.close();
  throw new Refusal(
    store.alone
      ? "this secret key is not the one that this store was first used with; put that one back into secret.key, or give it in FREEHOLD_SECRET_KEY"
      : "this secret key is not the one that the other replicas on this database have; give all of them the same FREEHOLD_SECRET_KEY",
  );
}
