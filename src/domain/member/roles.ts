// The permissions of each role in an account. A member's key has only permissions that both the key
// and the role grant.

import { type Access, covers } from "../access.ts";

export const roles = ["basic", "billing", "member", "dev", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * The area of an operation. own: what is the same for every caller, and what is the caller's own,
 * such as the catalog and their keys. resources: Pods, endpoints, templates, volumes, secrets and
 * the like. use: jobs and terminals. billing: spending and its limits. account: members, audit log
 * and settings; for the operator also machines and other accounts.
 */
export type Area = "own" | "resources" | "use" | "billing" | "account";

const may: Record<Role, Record<Area, Access>> = {
  basic: { own: "write", resources: "read", use: "write", billing: "none", account: "none" },
  billing: { own: "write", resources: "none", use: "none", billing: "write", account: "none" },
  member: { own: "write", resources: "write", use: "write", billing: "none", account: "none" },
  dev: { own: "write", resources: "write", use: "write", billing: "none", account: "none" },
  admin: { own: "write", resources: "write", use: "write", billing: "write", account: "write" },
};

/**
 * A key that belongs to the account and to no member has no role; only its own permissions limit
 * it.
 */
export function roleCovers(role: Role | null, area: Area, needs: "read" | "write"): boolean {
  return role === null || covers(may[role][area], needs);
}

/** Whether the role's permissions for resources hold only for those that belong to the member. */
export const seesOwnOnly = (role: Role | null | undefined): boolean => role === "member";

/** Whether a role has every permission of another. */
export function roleIncludes(role: Role, other: Role): boolean {
  if (seesOwnOnly(role) && !seesOwnOnly(other)) return false;
  return Object.entries(may[other]).every(
    ([area, access]) => access === "none" || covers(may[role][area as Area], access),
  );
}
