// The member that a person of the sign-in provider is. The first sign-in creates it, and each one writes its role again.

import type { Member } from "../../domain/member/member.ts";
import type { Role } from "../../domain/member/roles.ts";
import type { RoleDecision } from "../../domain/sign-in/decide-role.ts";
import type { Person } from "../../domain/sign-in/person.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import { firstAccount, isDisabled } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { isInvited } from "../../store/invitation/invitation.ts";
import { insertMember, lockMember, lockMemberAt } from "../../store/member/member.ts";
import {
  accountOfIdentity,
  findIdentity,
  hasIdentity,
  type Identity,
  saveIdentity,
} from "../../store/provider-identity/provider-identity.ts";
import { requireRoom } from "../account/require-room.ts";
import { endPassword } from "../password/set.ts";
import { accountOfRule } from "./account-of-rule.ts";
import { saveFromProvider } from "./save-from-provider.ts";

export interface MemberEntry {
  identity: Identity;
  person: Person;
  decision: RoleDecision;
  /** The role of a new member whose groups the provider does not name; null to refuse it. */
  defaultRole: Role | null;
  /** The id of the member, if there is none yet. */
  memberId: string;
  now: number;
}

/** Nothing is written before a problem is returned, because returning commits. */
export function* enterMember(entry: MemberEntry): Tx<Member | SignInProblem> {
  const { identity, person, decision, now } = entry;
  const place = yield* placeOf(decision, identity);
  if (place instanceof SignInProblem) return place;
  const { accountId, role } = place;
  if (yield* isDisabled(accountId)) {
    return new SignInProblem("account_disabled", `account ${accountId} is disabled`);
  }
  // Held before the account, as by all that holds both. Sign-ins follow one another, so that two of one person make one member.
  const memberId = yield* findIdentity(identity, accountId);
  const known = memberId && (yield* lockMember(memberId, accountId));
  const full = yield* requireRoom("apiKey", accountId);
  if (full) return new SignInProblem("account_full", full.message);
  if (!known) return yield* firstEntry(entry, accountId, role ?? entry.defaultRole);
  const after = {
    ...known,
    name: person.name || known.name,
    email: yield* freeEmail(known, person, now),
    role: role ?? known.role,
  };
  yield* saveFromProvider(known, after, now);
  return after;
}

/** The role is null if the provider does not name the groups. */
function* placeOf(
  decision: RoleDecision,
  identity: Identity,
): Tx<{ accountId: string; role: Role | null } | SignInProblem> {
  switch (decision.kind) {
    case "none":
      return new SignInProblem("no_role", "no group of the person is in oidc.groups");
    case "conflict": {
      const [first, second] = [decision.first, decision.second].map(
        ({ group, role }) => `"${group}" gives ${role}`,
      );
      const message = `groups give two roles of which neither includes the other: ${first}, ${second}`;
      return new SignInProblem("role_conflict", message);
    }
    case "unknown": {
      const accountId = (yield* accountOfIdentity(identity)) ?? (yield* firstAccount())?.id;
      return { accountId: accountId!, role: null }; // the first start creates an account
    }
    case "role": {
      const accountId = yield* accountOfRule(decision.account);
      if (accountId) return { accountId, role: decision.role };
      const message = `oidc.groups names the account "${decision.account}", which is no id and no name of one account`;
      return new SignInProblem("no_account", message);
    }
  }
}

function* firstEntry(
  { identity, person, decision, memberId, now }: MemberEntry,
  accountId: string,
  role: Role | null,
): Tx<Member | SignInProblem> {
  if (role === null) {
    const isOverage = decision.kind === "unknown" && decision.isOverage;
    const message = isOverage
      ? 'the provider left the groups out because there are too many; in Entra ID, choose "groups assigned to the application"'
      : "the claim that oidc.groupsClaim names is neither in the ID token nor in userinfo";
    return new SignInProblem("no_groups", message);
  }
  const { email } = person;
  if (email === null) {
    const message =
      "neither the claim email nor preferred_username is an e-mail address; add the scope email";
    return new SignInProblem("no_email", message);
  }
  const namesake = yield* lockMemberAt(email, accountId);
  if (namesake && (!person.isEmailVerified || (yield* hasIdentity(namesake.id)))) {
    const reason = person.isEmailVerified
      ? "it belongs to another person of the provider"
      : "the provider does not say email_verified";
    return new SignInProblem("email_taken", `a member has the address ${email}, and ${reason}`);
  }
  if (!namesake && (yield* isInvitedOther(person, accountId, now))) {
    const message = `an invitation to ${email} is open, and the provider does not say email_verified`;
    return new SignInProblem("email_taken", message);
  }
  const full = namesake ? null : yield* requireRoom("member", accountId);
  if (full) return new SignInProblem("account_full", full.message);
  const member = namesake
    ? { ...namesake, role }
    : { id: memberId, accountId, email, name: person.name, role, createdAt: now };
  if (namesake) {
    yield* saveFromProvider(namesake, member, now);
    // The provider decides from now on whether the person signs in.
    yield* endPassword(member, now);
  } else {
    yield* insertMember(member);
  }
  yield* saveIdentity(identity, accountId, member.id, now);
  return member;
}

/** The member's own address if the new one is another member's, or may be. */
function* freeEmail({ email, accountId }: Member, next: Person, now: number): Tx<string> {
  if (next.email === null || next.email === email) return email;
  if (yield* isInvitedOther(next, accountId, now)) return email;
  return (yield* lockMemberAt(next.email, accountId)) ? email : next.email;
}

/** Whether the address may be that of another person, who was invited: people can write any address into their profile. */
function* isInvitedOther(
  { email, isEmailVerified }: Pick<Person, "email" | "isEmailVerified">,
  accountId: string,
  now: number,
): Tx<boolean> {
  return email !== null && !isEmailVerified && (yield* isInvited(email, accountId, now));
}
