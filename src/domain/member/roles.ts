// What each role may do in an account. A key of a member's opens what both the key and the role allow.

import { type Access, covers } from "../access.ts";

export const roles = ["basic", "billing", "dev", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * What an operation is about.
 *
 * own        what is the same for everybody, and what is the caller's own: the catalog, his keys
 * resources  Pods, endpoints, templates, volumes, secrets and the like
 * use        what runs: jobs, terminals
 * billing    what was spent, and what may be
 * account    people, audit log, settings; machines and other accounts, where it is the operator's
 */
export type Area = "own" | "resources" | "use" | "billing" | "account";

const may: Record<Role, Record<Area, Access>> = {
  basic: { own: "write", resources: "read", use: "write", billing: "none", account: "none" },
  billing: { own: "write", resources: "none", use: "none", billing: "write", account: "none" },
  dev: { own: "write", resources: "write", use: "write", billing: "none", account: "none" },
  admin: { own: "write", resources: "write", use: "write", billing: "write", account: "write" },
};

/** Keys that are no member's are the account's: they have no role, and are bounded by nothing else. */
export function roleCovers(role: Role | null, area: Area, needs: "read" | "write"): boolean {
  return role === null || covers(may[role][area], needs);
}
