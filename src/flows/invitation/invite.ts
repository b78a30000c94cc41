// Invitations to an account. The link is returned once, works once and expires.

import { hashSecret } from "../../base/ids.ts";
import type { Vault } from "../../base/vault.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Invitation } from "../../domain/member/member.ts";
import type { Role } from "../../domain/member/roles.ts";
import { listInvitations } from "../../store/invitation/invitation.ts";
import { withFullAccess } from "../../transactions/api-key/with-full-access.ts";
import { addInvitation, removeInvitation } from "../../transactions/invitation/write.ts";
import { createWithSecretOnce } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface Deps extends FlowDeps {
  vault: Vault;
}

export interface NewInvitation {
  by: ApiKey;
  email: string;
  role: Role;
  /** How long the invitation is valid. */
  validMs: number;
  once: IdempotencyKey | null;
}

export async function invite(
  { store, clock, ids, vault }: Deps,
  { by, email, role, validMs, once }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  const token = ids.secret("fhi_");
  const now = clock.now();
  const invitation = {
    id: ids.short(14),
    accountId: by.accountId,
    email: email.toLowerCase(),
    role,
    createdAt: now,
    expiresAt: now + validMs,
    memberId: by.member?.id ?? null,
  };
  const { created, secret } = await createWithSecretOnce({ store, vault, once, now }, token, () =>
    withFullAccess(by, () => addInvitation(invitation, hashSecret(token))),
  );
  return { invitation: created, token: secret };
}

export function invitationsOf(
  { store, clock }: Pick<Deps, "store" | "clock">,
  accountId: string,
): Promise<Invitation[]> {
  return store.read(listInvitations, accountId, clock.now());
}

export async function withdraw(
  { store }: Pick<Deps, "store">,
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(removeInvitation, accountId, id));
}
