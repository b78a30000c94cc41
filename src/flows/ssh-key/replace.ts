// Replacing all SSH keys of the account, or a member's where the role sees only its own. Keys that are already present do not change.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { readPublicKey } from "../../domain/ssh-key/public-key.ts";
import { refuseAnother } from "../../domain/storage/resource-limits.ts";
import type { Store } from "../../store/engine/store.ts";
import { replaceSshKeysOf } from "../../transactions/ssh-key/replace.ts";
import { limitedMember } from "../member/ownership.ts";
import { newSshKey } from "./create.ts";

/** `field` is the caller's name for the keys. */
export async function replaceSshKeys(
  deps: { store: Store; clock: Clock; ids: Ids },
  by: Pick<ApiKey, "accountId" | "member">,
  { field, publicKeys }: { field: string; publicKeys: readonly string[] },
): Promise<void> {
  const refusal = refuseAnother("sshKey", publicKeys.length - 1);
  if (refusal) throw refusal;
  const desired = publicKeys.map((publicKey, n) => {
    const read = readPublicKey(publicKey);
    if (typeof read !== "string") return newSshKey(deps, by, read);
    throw new Fault("invalid_body", { detail: `Key ${n + 1} of "${field}" is not valid: ${read}` });
  });
  const limited = limitedMember(by);
  await deps.store.write(replaceSshKeysOf, by.accountId, limited?.id ?? null, desired);
}
