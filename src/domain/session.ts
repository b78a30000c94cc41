// A browser that signed in with a key: it may do what the key may, for as long as the key may.

export interface Session {
  id: string;
  accountId: string;
  keyId: string;
  /** What the browser says it is; empty where it said nothing. */
  agent: string;
  createdAt: number;
  expiresAt: number;
}

/** More of what a browser says of itself helps nobody. */
export const LONGEST_AGENT = 200;
