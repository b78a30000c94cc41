// Makes a machine's engine part of the fabric that its operator declared. The first machine of a fabric also
// creates the networks of its clusters, and removes those whose last member is gone.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Vault } from "../../base/vault.ts";
import { type FabricAddress, fabricOwner } from "../../domain/fabric/fabric.ts";
import { DriverUnavailable } from "../../drivers/driver.ts";
import { type FabricEngine, FabricRefused } from "../../drivers/fabric-engine.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { type Fabric, fabricMachines } from "../../store/fabric/fabric.ts";
import { membersOver } from "../../store/pod/members.ts";
import {
  findOrLeadFabric,
  openFabric,
  recordPart,
} from "../../transactions/machine/join-fabric.ts";
import type { Loop } from "../engine/loop.ts";

export interface JoinFabricDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  vault: Vault;
  machine: string;
  fabric: FabricAddress;
  engine: FabricEngine;
}

export function joinFabricLoop(deps: JoinFabricDeps): Loop {
  const { store, clock, log, machine, fabric } = deps;
  return {
    name: "join-fabric",
    shared: false,
    periodMs: 10_000,
    restMs: 200,
    topics: [topic.fabrics, topic.pods],
    async run() {
      const found = await store.write(findOrLeadFabric, fabric.name, machine, clock.now());
      const trouble = await troubleOf(() => beginPart(deps, found));
      if (trouble !== null)
        log.info({ machine, fabric: fabric.name, trouble }, "not in its fabric");
      await record(deps, trouble);
      if (trouble === null && found.leader === machine) await syncNetworks(deps);
      return null;
    },
  };
}

async function beginPart({ store, vault, machine, fabric, engine }: JoinFabricDeps, found: Fabric) {
  const owner = fabricOwner(fabric.name);
  const { manager } = found;
  if (found.leader !== machine) {
    if (manager === null) {
      throw new FabricRefused(`the fabric is not ready on machine ${found.leader} yet`);
    }
    return engine.join(fabric, { ...manager, token: vault.open(manager.token, owner) });
  }
  const now = await engine.lead(fabric);
  const isSaved =
    manager?.node === now.node &&
    manager.address === now.address &&
    vault.open(manager.token, owner) === now.token;
  if (isSaved) return;
  const sealed = { ...now, token: vault.seal(now.token, owner) };
  await store.write(openFabric, fabric.name, sealed);
}

async function troubleOf(act: () => Promise<void>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof FabricRefused) return error.message;
    throw error;
  }
}

async function record({ store, machine, fabric }: JoinFabricDeps, trouble: string | null) {
  const known = (await store.read(fabricMachines)).find((each) => each.machine === machine);
  if (known?.fabric === fabric.name && known.trouble === trouble) return;
  await store.write(recordPart, { machine, fabric: fabric.name, trouble });
}

/** The networks are listed first, so that one of a cluster that is created meanwhile stays. */
async function syncNetworks({ store, log, fabric, engine }: JoinFabricDeps): Promise<void> {
  const present = await engine.networks(fabric.name);
  const members = await store.read(membersOver, fabric.name);
  const cidrs = new Map(members.map(({ id, cidr }) => [id, cidr!]));
  for (const [cluster, cidr] of cidrs) {
    await engine.ensureNetwork({ cluster, fabric: fabric.name, cidr });
  }
  for (const cluster of present) {
    if (cidrs.has(cluster)) continue;
    await engine.removeNetwork(cluster).catch((err) => {
      if (err instanceof DriverUnavailable) throw err;
      log.info({ err, cluster }, "cannot remove the network of a cluster yet");
    });
  }
}
