// The one-time codes of a member's authenticator app. Pure.

export interface Totp {
  memberId: string;
  accountId: string;
  /** Sealed. */
  secret: string;
  /** The time step of the latest code that was used; its code and earlier ones are not accepted any more. */
  lastStep: number;
  /** Null while no code has confirmed it. */
  confirmedAt: number | null;
}

/** Whether the member's sign-ins need a code: not before the first one has confirmed the app. */
export const needsCode = (totp: Totp | undefined): boolean => (totp?.confirmedAt ?? null) !== null;

export const RECOVERY_CODES = 10;

/** What is hashed of a recovery code: people type it with or without its hyphens. */
export const plainRecoveryCode = (code: string) => code.toLowerCase().replace(/[\s-]/g, "");

/** In groups that are easy to copy: "abcd-efgh-ijkl-mnop". */
export const groupedRecoveryCode = (code: string) => code.replace(/(.{4})(?=.)/g, "$1-");
