// The home of a network volume: the machine that has its data, or the cluster, if all of the cluster's nodes can mount
// it. Everything that mounts the volume runs there. Pure.

import type { Inventory } from "./inventory.ts";

/** How the nodes of a cluster provide network volumes. */
export type NodeVolumes = "shared" | "pinned";

interface Candidate {
  machine: string;
  drivers: readonly string[];
  inventory: Pick<Inventory, "node">;
}

/** Null for a machine that offers no network volumes. */
export function volumeHomeOf({ machine, drivers, inventory: { node } }: Candidate): string | null {
  if (node?.networkVolumes === "shared") return node.remote;
  return drivers.includes("kubernetes") && node?.networkVolumes !== "pinned" ? null : machine;
}
