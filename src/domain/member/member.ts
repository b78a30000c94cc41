// Members of an account, and their invitations.

import type { Role } from "./roles.ts";

export interface Member {
  id: string;
  accountId: string;
  /** In lower case; unique within an account. */
  email: string;
  name: string;
  role: Role;
  createdAt: number;
}

/** A member as views of other resources name it. */
export type MemberName = Pick<Member, "id" | "name">;

/** What members create. */
export interface Owned {
  /** The member it belongs to; absent if it belongs to the account alone. */
  owner?: MemberName | undefined;
}

export interface Invitation {
  id: string;
  accountId: string;
  email: string;
  role: Role;
  createdAt: number;
  expiresAt: number;
  /** The member that invites; null for a key of the account. */
  memberId: string | null;
}
