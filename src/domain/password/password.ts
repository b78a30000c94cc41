// A member's password, and what a new one must be. Pure.

import { HOUR_MS } from "../../base/units.ts";
import type { Member } from "../member/member.ts";

export interface Password {
  memberId: string;
  accountId: string;
  /** Argon2id with its parameters. */
  hash: string;
  /** The key that its sessions stand for; null before the first one. */
  keyId: string | null;
  setAt: number;
}

/** A link that sets a password, once. */
export interface PasswordReset {
  memberId: string;
  accountId: string;
  /** Whether it also removes the member's one-time codes. */
  removeTotp: boolean;
  expiresAt: number;
}

export const RESET_LINK_MS = HOUR_MS;

const LENGTH = { least: 8, most: 1024 };

/** What is wrong with a new password, to follow "The password"; null if it can be used. */
export function complaintAbout(
  password: string,
  { email, name }: Pick<Member, "email" | "name">,
): string | null {
  // The form that is hashed: an accented letter may arrive as two characters.
  const normal = password.normalize("NFC");
  const length = [...normal].length;
  if (length < LENGTH.least || length > LENGTH.most) {
    return `must have ${LENGTH.least} to 1,024 characters; it has ${length}`;
  }
  const text = normal.toLowerCase();
  if (text === email.normalize("NFC").toLowerCase()) return "must not be the e-mail address";
  if (text === name.normalize("NFC").toLowerCase()) return "must not be the name";
  return null;
}
