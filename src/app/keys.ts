// What is derived from the secret key: each for a purpose of its own, so that none tells of another.

import { Vault } from "../base/vault.ts";
import { PodKeys } from "../flows/pod/own-key.ts";
import { derived } from "./secret-key.ts";

export interface Keys {
  /** The secret of a worker, always the same for the same worker. */
  workerSecret(workerId: string): string;
  /** The keys that Pods have of their own. */
  podKeys: PodKeys;
  /** Seals what is kept of registries and secrets. */
  vault: Vault;
}

export function keysFrom(secretKey: string): Keys {
  return {
    workerSecret: (workerId) => `fhw_${derived(secretKey, `worker:${workerId}`).slice(0, 40)}`,
    podKeys: new PodKeys(derived(secretKey, "pods")),
    vault: new Vault(derived(secretKey, "vault")),
  };
}
