// The acceptance of an invitation: a member, a key and the invitation's end.

import { hashSecret } from "../../base/ids.ts";
import { type ApiKey, everything } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { isDisabled } from "../../store/account/account.ts";
import { insertKey } from "../../store/api-key/api-key.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteInvitationsTo, findInvitation } from "../../store/invitation/invitation.ts";
import { changeMember, insertMember, lockMemberAt } from "../../store/member/member.ts";
import { hasIdentity } from "../../store/provider-identity/provider-identity.ts";
import { requireRoom } from "../account/require-room.ts";
import { refusePerson } from "../password/refuse-person.ts";
import { replacePassword } from "../password/set.ts";
import { withdrawForRole } from "./withdraw.ts";

export interface AcceptedInvitation {
  member: Member;
  key: ApiKey;
  secret: string;
}

interface AcceptFields {
  memberId: string;
  keyId: string;
  now: number;
  name: string | null;
  /** The client's IP address. */
  address: string;
  /** Null to have none, or to keep the one that an existing member has. */
  password: { hash: string; issuer: string | null } | null;
}

export function* acceptInvitation(
  hash: string,
  fields: AcceptFields,
  secret: string,
): Tx<AcceptedInvitation | Fault> {
  const invitation = yield* findInvitation(hash, fields.now);
  if (!invitation || (yield* isDisabled(invitation.accountId))) {
    return new Fault("invitation_over");
  }
  const { id, accountId, email } = invitation;
  // The member, then the account, then invitations are held, as by all that ends invitations.
  const existing = yield* lockMemberAt(email, accountId);
  const keyRefusal = yield* requireRoom("apiKey", accountId);
  // Another invitation may have made the member meanwhile.
  const before = existing ?? (yield* lockMemberAt(email, accountId));
  const refusal = keyRefusal ?? (before ? null : yield* requireRoom("member", accountId));
  // Another link could give the member another role later.
  const endedIds = yield* deleteInvitationsTo(email, accountId);
  // Thrown, so that what was not accepted stays open.
  if (!endedIds.includes(id)) throw new Fault("invitation_over");
  if (refusal) throw refusal;
  // The sign-in provider may have the address from the person alone, who must not take the role that another was meant to get.
  const role = before && (yield* hasIdentity(before.id)) ? before.role : invitation.role;
  const member = {
    id: before?.id ?? fields.memberId,
    accountId,
    email,
    name: fields.name ?? before?.name ?? email,
    role,
    createdAt: before?.createdAt ?? fields.now,
  };
  yield* saveMember(before, member);
  if (fields.password) {
    const { hash: passwordHash, issuer } = fields.password;
    const ofProvider = yield* refusePerson(member, issuer);
    if (ofProvider) throw ofProvider;
    yield* replacePassword(member, passwordHash, null, fields.now);
  }
  const key: ApiKey = {
    id: fields.keyId,
    accountId,
    name: email,
    hint: secret.slice(-4),
    member: { id: member.id, name: member.name, role },
    permissions: everything,
    createdAt: fields.now,
    disabledAt: null,
  };
  yield* insertKey(key, hashSecret(secret));
  yield* appendEntry({
    accountId,
    at: fields.now,
    actor: { kind: "key", keyId: key.id },
    via: "rest",
    operation: "acceptInvitation",
    resourceType: "member",
    resourceId: member.id,
    outcome: "done",
    detail: "",
    address: fields.address,
  });
  return { member, key, secret };
}

function* saveMember(before: Member | undefined, member: Member): Tx<void> {
  if (!before) return yield* insertMember(member);
  yield* changeMember(member);
  yield* withdrawForRole(before, member);
}
