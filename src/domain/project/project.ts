// A project: members of an account whose holdings count together against its limits.

import type { MemberName } from "../member/member.ts";
import type { ProjectIdleRule } from "../usage/idle-policy.ts";
import type { MaxLifetime } from "../usage/lifetime.ts";

export interface Project {
  id: string;
  accountId: string;
  name: string;
  /** Its right to GPUs beside other projects that wait for some. */
  weight: number;
  createdAt: number;
  /** Removed members among them, whose things may have stayed. */
  members: MemberName[];
  /** Holds for Pods of its members that have no rule of their own; null if there is none. */
  stopWhenIdle: ProjectIdleRule | null;
  /** For how long Pods of its members may run after their start; null for no limit. */
  maxLifetime: MaxLifetime | null;
}
