// People of an account, and what invites them.

import type { Role } from "./roles.ts";

export interface Member {
  id: string;
  accountId: string;
  /** In lower case; one member of an account has it. */
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
