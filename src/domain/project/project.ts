// A project: members of an account whose holdings count together against its limits.

import type { MemberName } from "../member/member.ts";

export interface Project {
  id: string;
  accountId: string;
  name: string;
  createdAt: number;
  /** Removed members among them, whose things may have stayed. */
  members: MemberName[];
}
