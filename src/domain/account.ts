// Accounts and what their keys may do.

import type { Access } from "./access.ts";
import type { Role } from "./member/roles.ts";

/** Permission per interface, and for the queue optionally only some endpoints. */
export interface Permissions {
  rest: Access;
  graphql: Access;
  queue: Access;
  /** Ids of the endpoints whose queue the key opens; null means all of the account's. */
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
  /** Whose it is; null where it is the account's own. */
  member: { id: string; role: Role } | null;
  permissions: Permissions;
  createdAt: number;
  disabledAt: number | null;
}

const interfaces = ["rest", "graphql", "queue"] as const;
const rank: Record<Access, number> = { none: 0, read: 1, write: 2 };

/** What `wanted` would permit beyond `has`, in words for people; empty where it is within it. */
export function beyond(has: Permissions, wanted: Permissions): string[] {
  const more: string[] = interfaces
    .filter((name) => rank[wanted[name]] > rank[has[name]])
    .map((name) => `${wanted[name]} on ${name}`);
  const only = has.endpoints;
  if (only === null || wanted.queue === "none") return more;
  const others = wanted.endpoints?.filter((id) => !only.includes(id)) ?? ["all endpoints"];
  return others.length > 0 ? [...more, `the queue of ${others.join(", ")}`] : more;
}
