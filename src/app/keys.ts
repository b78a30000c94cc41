// What is derived from the secret key: each for a purpose of its own, so that none tells of another.

import { Vault } from "../base/vault.ts";
import { derived } from "./secret-key.ts";

export interface Keys {
  /** The secret of a worker, always the same for the same worker. */
  workerSecret(workerId: string): string;
  /** Seals what is kept of registries and secrets. */
  vault: Vault;
}

export function keysFrom(secretKey: string): Keys {
  return {
    workerSecret: (workerId) => `fhw_${derived(secretKey, `worker:${workerId}`).slice(0, 40)}`,
    vault: new Vault(derived(secretKey, "vault")),
  };
}
