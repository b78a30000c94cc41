// A sign-in: what the provider said about a member. API keys depend on it, the one of the browser's session and those
// of command lines that the session approved, and end when the provider withdraws it.

export interface SignIn {
  id: string;
  accountId: string;
  memberId: string;
  /** The key that the browser's session has. */
  keyId: string;
  issuer: string;
  /** The person's id at the provider. */
  subject: string;
  /** The id of the session at the provider; null if the provider named none. */
  session: string | null;
  /** Sealed. Null if the provider gave none, so that it cannot be asked again. */
  refreshToken: string | null;
  createdAt: number;
  /** When the provider is asked again. */
  nextCheckAt: number;
}

/** How long a person may take to sign in at the provider. */
export const SIGN_IN_MS = 600_000;

/** The pause before a provider that did not answer is asked again. */
export const CHECK_AGAIN_MS = 30_000;

/** After this long, a check of a replica that ended in the middle is made by another. */
export const CHECK_CLAIM_MS = 60_000;
