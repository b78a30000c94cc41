// Adding an SSH key to the account. Pods receive it at their next start.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import { type PublicKey, readPublicKey } from "../../domain/ssh-key/public-key.ts";
import type { SshKey } from "../../domain/ssh-key/ssh-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { addSshKey } from "../../transactions/ssh-key/write.ts";
import { createOnceIn } from "../create-once.ts";

export interface NewSshKey {
  by: ApiKey;
  publicKey: string;
  name?: string;
  labels?: Labels;
  once: IdempotencyKey | null;
}

export async function createSshKey(
  deps: { store: Store; clock: Clock; ids: Ids },
  { by, publicKey, name, labels, once }: NewSshKey,
): Promise<SshKey> {
  const read = readPublicKey(publicKey);
  if (typeof read === "string") {
    throw new Fault("invalid_body", { detail: `"publicKey" is not valid: ${read}` });
  }
  const key = newSshKey(deps, by, read, {
    ...(name !== undefined && { name }),
    ...(labels && { labels }),
  });
  const { store } = deps;
  return createOnceIn({ store, once, now: key.createdAt }, () => addSshKey(key));
}

export function newSshKey(
  { clock, ids }: { clock: Clock; ids: Ids },
  { accountId, member }: Pick<ApiKey, "accountId" | "member">,
  { line, comment, fingerprint }: PublicKey,
  { name, labels = noLabels }: Pick<NewSshKey, "name" | "labels"> = {},
): SshKey {
  const keyName = name ?? (comment.slice(0, 191) || line.split(" ", 1)[0]!);
  const fields = { id: ids.short(14), createdAt: clock.now() };
  return { ...fields, accountId, member, name: keyName, publicKey: line, fingerprint, labels };
}
