// Which Pods of its account an SSH key opens. Pure.

import { seesOwnOnly } from "../member/roles.ts";
import type { SshKey } from "./ssh-key.ts";

type Holder = Pick<SshKey, "member">;

/** A key of a member whose role sees only its own opens the member's own Pods. */
export function opensPod(key: Holder, { ownerId }: { ownerId: string | null }): boolean {
  return opensEveryPod(key) || key.member!.id === ownerId;
}

export const opensEveryPod = ({ member }: Holder): boolean => !seesOwnOnly(member?.role);
