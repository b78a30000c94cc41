// A session: a browser that signed in with a key. It has the permissions of the key and ends with
// it.

export interface Session {
  id: string;
  accountId: string;
  keyId: string;
  /** The browser's user agent; empty if it sent none. */
  agent: string;
  createdAt: number;
  expiresAt: number;
}

/** The stored length of a user agent; the rest is cut off. */
export const LONGEST_AGENT = 200;
