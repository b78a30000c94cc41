// The entry of a person by the sign-in provider: the member, the sign-in, its key and the session.

import { type ApiKey, sessionKey } from "../../domain/account.ts";
import type { Member } from "../../domain/member/member.ts";
import type { Session } from "../../domain/session.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import type { SignIn } from "../../domain/sign-in/sign-in.ts";
import { firstAccount } from "../../store/account/account.ts";
import { insertKey, tieKeyToSignIn } from "../../store/api-key/api-key.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertSession } from "../../store/session/session.ts";
import { earlierSignIns, insertSignIn, signInsElsewhere } from "../../store/sign-in/sign-in.ts";
import { isLoggedOut } from "../../store/sign-in/used-logout-token.ts";
import { announceSignIn } from "../session/announce-sign-in.ts";
import { endSignIn } from "./end.ts";
import { enterMember, type MemberEntry } from "./enter-member.ts";
import { holdSignIns } from "./hold.ts";

/** A member's earlier sign-ins end, so that one person cannot use up the account's API keys. */
const MAX_SIGN_INS = 50;

export interface Entry extends Omit<MemberEntry, "now" | "identity"> {
  signIn: Omit<SignIn, "accountId" | "memberId" | "keyId">;
  /** The key that the session stands for; its secret is not given out. */
  key: Pick<ApiKey, "id" | "name">;
  keyHash: string;
  session: Omit<Session, "accountId" | "keyId">;
  sessionHash: string;
  address: string;
  /** When the exchange of the provider's code began: the session at the provider is not younger. */
  exchangedAt: number;
}

export interface Entered {
  session: Session;
  member: Member;
}

export function* enterBySignIn(entry: Entry): Tx<Entered | SignInProblem> {
  const { signIn, address, exchangedAt } = entry;
  const now = signIn.createdAt;
  yield* holdSignIns();
  const member = (yield* isLoggedOut(signIn, exchangedAt))
    ? new SignInProblem("logged_out", "the provider ended the session while it was being stored")
    : yield* enterMember({ ...entry, identity: signIn, now });
  if (member instanceof SignInProblem) {
    yield* recordRefusal(member, address, now);
    return member;
  }
  return { member, session: yield* openSession(entry, member, now) };
}

function* openSession(entry: Entry, member: Member, now: number): Tx<Session> {
  const { accountId } = member;
  const owned = { accountId, keyId: entry.key.id };
  const key = sessionKey(entry.key, member, now);
  yield* insertKey(key, entry.keyHash);
  yield* tieKeyToSignIn(key.id, entry.signIn.id);
  yield* insertSignIn({ ...entry.signIn, ...owned, memberId: member.id });
  const session = { ...entry.session, ...owned };
  yield* insertSession(session, entry.sessionHash);
  for (const other of yield* signInsElsewhere(entry.signIn, accountId)) {
    yield* endSignIn(other, "the member's groups belong to another account", now);
  }
  for (const earlier of yield* earlierSignIns(member.id, MAX_SIGN_INS)) {
    yield* endSignIn(earlier, `the member has ${MAX_SIGN_INS} later sign-ins`, now);
  }
  yield* announceSignIn(session, key, member.id, "signInWithProvider");
  return session;
}

/** In the operator's account, because the person has none. */
function* recordRefusal({ code }: SignInProblem, address: string, now: number): Tx<void> {
  const account = yield* firstAccount();
  if (!account) return;
  yield* appendEntry({
    accountId: account.id,
    at: now,
    actor: { kind: "system" },
    via: "rest",
    operation: "signInWithProvider",
    resourceType: "session",
    resourceId: "",
    outcome: "refused",
    detail: code,
    address,
  });
}
