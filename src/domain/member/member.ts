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

export interface Invitation {
  id: string;
  accountId: string;
  email: string;
  role: Role;
  createdAt: number;
  expiresAt: number;
}
