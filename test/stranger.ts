// Another account in a test's house.

import { hashSecret } from "../src/base/ids.ts";
import { everything } from "../src/domain/account.ts";
import { insertAccount, insertKey } from "../src/store/account/account.ts";
import type { TestHouse } from "./house.ts";

/** Makes it, and returns the header with a key that opens everything in it. */
export async function makeStranger(
  house: Pick<TestHouse, "house">,
): Promise<{ authorization: string }> {
  const secret = "fh_stranger";
  const account = { id: "user_stranger", name: "s", webhookSecret: null, createdAt: Date.now() };
  await house.house.store.write(insertAccount, account);
  const key = {
    id: "stranger",
    accountId: account.id,
    name: "s",
    hint: "nger",
    member: null,
    permissions: everything,
    createdAt: 1,
    disabledAt: null,
  };
  await house.house.store.write(insertKey, key, hashSecret(secret));
  return { authorization: `Bearer ${secret}` };
}
