// Keys derived from the secret key, one per purpose, so that none reveals another.

import { Vault } from "../base/vault.ts";
import { PodKeys } from "../flows/pod/own-key.ts";
import { derived } from "./secret-key.ts";

export interface Keys {
  /** The secret of a worker. It is the same at every call for the same worker. */
  workerSecret(workerId: string): string;
  /** The keys that Pods are given for themselves. */
  podKeys: PodKeys;
  /** Seals registry credentials and secrets at rest. */
  vault: Vault;
}

export function keysFrom(secretKey: string): Keys {
  return {
    workerSecret: (workerId) => `fhw_${derived(secretKey, `worker:${workerId}`).slice(0, 40)}`,
    podKeys: new PodKeys(derived(secretKey, "pods")),
    vault: new Vault(derived(secretKey, "vault")),
  };
}
