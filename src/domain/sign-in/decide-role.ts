// The role that the provider's claims give, by the operator's table. Pure.

import { type Role, roleIncludes } from "../member/roles.ts";
import type { RoleSettings } from "./oidc-settings.ts";

export type Claims = Readonly<Record<string, unknown>>;

export type RoleDecision =
  | { kind: "role"; account: string | null; role: Role }
  /** The provider names the groups, and none of them gives a role. */
  | { kind: "none" }
  /** The claim is missing, which says nothing about the groups. */
  | { kind: "unknown"; isOverage: boolean }
  /** Two groups give roles of one account, and neither role includes the other. */
  | { kind: "conflict"; first: RoleOfGroup; second: RoleOfGroup };

export interface RoleOfGroup {
  group: string;
  role: Role;
}

/** The first rule that applies names the account; of its rules for that account, the strongest role wins. */
export function decideRole(settings: RoleSettings, claims: Claims): RoleDecision {
  const { groups: rules, groupsClaim, groupsPrefix, defaultRole } = settings;
  const fallback: RoleDecision = defaultRole
    ? { kind: "role", account: null, role: defaultRole }
    : { kind: "none" };
  if (rules.length === 0) return fallback;
  const groups = groupsIn(claims, groupsClaim);
  if (!groups) return { kind: "unknown", isOverage: isOverage(claims) };
  const names = new Set(
    groups
      .filter((group) => group.startsWith(groupsPrefix))
      .map((group) => group.slice(groupsPrefix.length)),
  );
  const matches = rules.filter(({ group }) => names.has(group));
  const [first] = matches;
  if (!first) return fallback;
  const own = matches.filter(({ account }) => account === first.account);
  const strongest = own.find(({ role }) => own.every((other) => roleIncludes(role, other.role)));
  if (strongest) return { kind: "role", account: first.account, role: strongest.role };
  return { kind: "conflict", ...incomparable(own) };
}

function incomparable(rules: readonly RoleOfGroup[]): { first: RoleOfGroup; second: RoleOfGroup } {
  for (const first of rules) {
    const second = rules.find(
      ({ role }) => !roleIncludes(first.role, role) && !roleIncludes(role, first.role),
    );
    if (second) return { first, second };
  }
  throw new Error("roles without a strongest one are comparable");
}

/** Null if the claim is missing. A single text, such as a domain, is a list of one. */
export function groupsIn(claims: Claims, path: string): string[] | null {
  const value = claimAt(claims, path);
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return null;
  return value.filter((each): each is string => typeof each === "string");
}

/** Names of claims may contain dots, so the whole path is tried as a name first. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Claims)[name];
  }
  return value;
}

/** Entra ID leaves the groups out of a token that would have too many, and says so in one of two ways. */
function isOverage({ _claim_names: sources, hasgroups }: Claims): boolean {
  if (hasgroups === true || hasgroups === "true") return true;
  return typeof sources === "object" && sources !== null && Object.hasOwn(sources, "groups");
}
