// A public key of an account, which its Pods are told of.

export interface SshKey {
  id: string;
  accountId: string;
  name: string;
  /** One line. */
  publicKey: string;
  fingerprint: string;
  createdAt: number;
}
