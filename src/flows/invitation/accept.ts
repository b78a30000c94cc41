// Whoever has the link of an invitation becomes a member, and gets a key. Who is one already gets one
// more key, and the role that the link names: that is how a lost key is replaced.

import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Ids } from "../../base/ids.ts";
import { type ApiKey, everything } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { insertKey } from "../../store/account/account.ts";
import { isDisabled } from "../../store/account/standing.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import { takeInvitation } from "../../store/member/invitation.ts";
import { changeMember, insertMember, lockMemberAt } from "../../store/member/member.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface Accepted {
  member: Member;
  key: ApiKey;
  secret: string;
}

export async function accept(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { token, name, address }: { token: string; name: string | null; address: string },
): Promise<Accepted> {
  const secret = ids.secret("fh_");
  const made = { memberId: ids.short(14), keyId: ids.short(14), now: clock.now(), name, address };
  const result = await store.write(enter, hashSecret(token), made, secret);
  if (result instanceof Fault) throw result;
  return result;
}

interface Made {
  memberId: string;
  keyId: string;
  now: number;
  name: string | null;
  /** Where the request came from. */
  address: string;
}

function* enter(hash: string, made: Made, secret: string): Verb<Accepted | Fault> {
  const invitation = yield* takeInvitation(hash, made.now);
  if (!invitation || (yield* isDisabled(invitation.accountId))) {
    return new Fault("invitation_over");
  }
  const { accountId, email, role } = invitation;
  const before = yield* lockMemberAt(email, accountId);
  const member = {
    id: before?.id ?? made.memberId,
    accountId,
    email,
    name: made.name ?? before?.name ?? email,
    role,
    createdAt: before?.createdAt ?? made.now,
  };
  if (before) yield* changeMember(member);
  else yield* insertMember(member);
  const key: ApiKey = {
    id: made.keyId,
    accountId,
    name: email,
    hint: secret.slice(-4),
    member: { id: member.id, role },
    permissions: everything,
    createdAt: made.now,
    disabledAt: null,
  };
  yield* insertKey(key, hashSecret(secret));
  yield* appendEntry({
    accountId,
    at: made.now,
    actor: { kind: "key", keyId: key.id },
    via: "rest",
    operation: "acceptInvitation",
    resourceType: "member",
    resourceId: member.id,
    outcome: "done",
    detail: "",
    address: made.address,
  });
  return { member, key, secret };
}
