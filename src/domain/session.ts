// A session: a browser that signed in with a key. It has the permissions of the key and ends with
// it.

export interface Session {
  id: string;
  accountId: string;
  keyId: string;
  /** The browser's user agent; empty if it sent none. */
  agent: string;
  /** Where it signed in from; empty if it is not known. */
  address: string;
  createdAt: number;
  expiresAt: number;
  /** Whether a reset link began it, whose member need not know the current password. */
  byReset?: true;
}

/**
 * What is hashed of a session's secret. Over plain http every port of the host gets the cookie, also a Pod's: there the
 * secret serves from the network alone that signed in. Null over TLS.
 */
export const boundSecret = (secret: string, network: string | null) =>
  network === null ? secret : `${secret}@${network}`;

/** The stored length of a user agent; the rest is cut off. */
export const LONGEST_AGENT = 200;
