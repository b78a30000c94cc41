// The operator's settings for the sign-in with an OpenID Connect provider.

import type { Role } from "../member/roles.ts";

/** A row of the table that gives members their role. */
export interface RoleRule {
  group: string;
  role: Role;
  /** The id or the name of an account; null for the operator's. */
  account: string | null;
}

export interface RoleSettings {
  /** The name of the claim with the groups, or a path with dots. */
  groupsClaim: string;
  /** Groups without this prefix do not count; the table has groups without it. */
  groupsPrefix: string;
  groups: readonly RoleRule[];
  /** The role of a person in none of the groups; null to refuse the sign-in. */
  defaultRole: Role | null;
}

export interface OidcSettings extends RoleSettings {
  /** The provider's name on the button. */
  name: string;
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** Where the secret is in a token request. */
  clientAuthentication: "post" | "basic";
  scopes: string;
  /** Parameters that the provider needs beside the standard's. */
  parameters: Readonly<Record<string, string>>;
  /** Whether SSH of a member ends with the member's last sign-in. */
  endSsh: boolean;
}
