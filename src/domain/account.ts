// Accounts, and the permissions of their API keys.

import type { Access } from "./access.ts";
import type { Member, MemberName, Owned } from "./member/member.ts";
import type { Role } from "./member/roles.ts";

/** The permission for each interface; for the queue it may be limited to some endpoints. */
export interface Permissions {
  rest: Access;
  graphql: Access;
  queue: Access;
  /** Ids of the endpoints whose queues the key may use; null for all endpoints of the account. */
  endpoints: string[] | null;
}

export const everything: Permissions = {
  rest: "write",
  graphql: "write",
  queue: "write",
  endpoints: null,
};

export interface Account {
  id: string;
  name: string;
  webhookSecret: string | null;
  createdAt: number;
}

export interface ApiKey {
  id: string;
  accountId: string;
  name: string;
  hint: string;
  /** The member that the key belongs to; null for a key of the account itself. */
  member: (MemberName & { role: Role }) | null;
  permissions: Permissions;
  createdAt: number;
  disabledAt: number | null;
}

/** A key that stands for a member's sessions: its secret is not given out. */
export function sessionKey(
  { id, name }: Pick<ApiKey, "id" | "name">,
  member: Member,
  now: number,
): ApiKey {
  return {
    id,
    accountId: member.accountId,
    name,
    hint: "",
    member,
    permissions: everything,
    createdAt: now,
    disabledAt: null,
  };
}

/** What a resource records of the key that creates it. */
export interface Creator extends Owned {
  accountId: string;
  keyId: string;
}

export function creatorOf({ accountId, id, member }: ApiKey): Creator {
  const owner = member && { id: member.id, name: member.name };
  return { accountId, keyId: id, ...(owner && { owner }) };
}

const interfaces = ["rest", "graphql", "queue"] as const;
const rank: Record<Access, number> = { none: 0, read: 1, write: 2 };

/**
 * The permissions in `desired` that `has` does not include, as text for an error; empty if there
 * are none.
 */
export function beyond(has: Permissions, desired: Permissions): string[] {
  const more: string[] = interfaces
    .filter((name) => rank[desired[name]] > rank[has[name]])
    .map((name) => `${desired[name]} on ${name}`);
  const only = has.endpoints;
  if (only === null || desired.queue === "none") return more;
  const others = desired.endpoints?.filter((id) => !only.includes(id)) ?? ["all endpoints"];
  return others.length > 0 ? [...more, `the queue of ${others.join(", ")}`] : more;
}
