// An S3 key: an access key id and a secret that open an account's network volumes over S3.

import { type Access, covers } from "../access.ts";
import type { Labels } from "../label/labels.ts";
import type { MemberName, Owned } from "../member/member.ts";
import { type Role, roleCovers, seesOwnOnly } from "../member/roles.ts";

export interface S3Key {
  /** The access key id. */
  id: string;
  accountId: string;
  /** The member that the key belongs to; null for a key of the account itself. */
  member: (MemberName & { role: Role }) | null;
  name: string;
  labels: Labels;
  /** Sealed: a signature can be checked only with the secret itself. */
  secret: string;
  access: Exclude<Access, "none">;
  /** Null for all volumes of the account. */
  volumeIds: string[] | null;
  createdAt: number;
  lastUsedAt: number | null;
}

/** What a key's secret is sealed for. */
export const secretOwner = (id: string) => `s3-key:${id}`;

/** Whether the key, and its member's role, permit an access to volumes. */
export function permits({ access, member }: S3Key, needs: "read" | "write"): boolean {
  return covers(access, needs) && roleCovers(member?.role ?? null, "resources", needs);
}

/** Whether the key, as it is read later, opens what it opened before. */
export function isUnchanged(before: S3Key, now: S3Key | undefined): boolean {
  return now?.access === before.access && now.member?.role === before.member?.role;
}

export function includesVolume({ volumeIds }: S3Key, volumeId: string): boolean {
  return volumeIds === null || volumeIds.includes(volumeId);
}

/** A key of a member whose role sees only its own opens the member's own volumes. */
export function opensVolumesOf({ member }: S3Key, { owner }: Owned): boolean {
  return !seesOwnOnly(member?.role) || member!.id === owner?.id;
}
