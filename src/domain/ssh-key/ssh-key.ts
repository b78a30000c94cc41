// A public SSH key of an account, which its Pods receive.

import type { Labels } from "../label/labels.ts";
import type { MemberName } from "../member/member.ts";
import type { Role } from "../member/roles.ts";

export interface SshKey {
  id: string;
  accountId: string;
  /** The member that added it, with whose membership it ends; null for a key of the account itself. */
  member: (MemberName & { role: Role }) | null;
  name: string;
  /** One line. */
  publicKey: string;
  fingerprint: string;
  labels: Labels;
  createdAt: number;
}
