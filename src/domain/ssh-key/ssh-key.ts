// A public SSH key of an account, which its Pods receive.

export interface SshKey {
  id: string;
  accountId: string;
  name: string;
  /** One line. */
  publicKey: string;
  fingerprint: string;
  createdAt: number;
}
