// An engine as part of a fabric, over which the Pods of a cluster reach one another from machine to machine.

import type { FabricAddress, FabricManager } from "../domain/fabric/fabric.ts";

/** A cluster's network over a fabric. */
export interface FabricNetwork {
  cluster: string;
  fabric: string;
  cidr: string;
}

/** An engine as part of a fabric. Every command is idempotent and rejects with FabricRefused if it cannot work. */
export interface FabricEngine {
  /** Makes it the manager of the fabric. */
  lead(fabric: FabricAddress): Promise<FabricManager>;
  join(fabric: FabricAddress, manager: FabricManager): Promise<void>;
  /** The clusters with a network over the fabric. */
  networks(fabric: string): Promise<string[]>;
  ensureNetwork(network: FabricNetwork): Promise<void>;
  removeNetwork(cluster: string): Promise<void>;
}

/** An engine cannot be part of a fabric; the message says why. */
export class FabricRefused extends Error {
  override readonly name = "FabricRefused";
}
