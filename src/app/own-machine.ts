// The machine that this replica runs on: its drivers, what it offers, and the loops it needs.

import type { Server } from "node:http";
import { lookAtGpuUse } from "../drivers/machine/gpu-use.ts";
import { runHere } from "../drivers/machine/run.ts";
import type { UsageBook } from "../flows/usage/book.ts";
import type { Loop } from "../loops/loop.ts";
import { ContainersDoor } from "./containers-door.ts";
import { ownGround } from "./ground.ts";
import type { Keys } from "./keys.ts";
import { ownInventory } from "./machine.ts";
import { machineLoops } from "./machine-loops.ts";
import { keepPort, keptPort, openDrivers } from "./open-drivers.ts";
import type { Parts } from "./parts.ts";

interface Beginning {
  /** Where processes reach the service. */
  origin: string;
  /** What the service listens on. */
  own: { host: string; port: number };
  /** Makes a server that answers as the first one does. */
  another: () => Server;
  keys: Keys;
  usage: UsageBook;
}

export type OwnMachine = Awaited<ReturnType<typeof openOwnMachine>>;

export async function openOwnMachine(parts: Parts) {
  const { config, store, clock, log, ids, machine: id, env } = parts;
  const { drivers, docker } = await openDrivers(parts);
  const inventory = await ownInventory(config, env, docker);
  let door: ContainersDoor | null = null;
  return {
    drivers,
    replica: {
      id: ids.short(14),
      machine: id,
      drivers: drivers.map(({ name }) => name),
      inventory,
    },
    /** Once containers that lived on reach the service again: what they bring comes before any verdict. */
    async loops({ origin, own, another, keys, usage }: Beginning): Promise<Loop[]> {
      const { dataFolder, publicUrl, publicIp, ports, protocol } = config;
      door =
        docker &&
        new ContainersDoor({
          ...{ clock, driver: docker, log, publicUrl, wish: own.port },
          ground: ownGround(own, another),
          keptPort: keptPort(dataFolder),
          keepPort: (port) => keepPort(dataFolder, port),
        });
      await door?.open();
      return machineLoops({
        ...{ store, clock, log, protocol, drivers, usage, ...keys },
        machine: { id, inventory, publicIp, ports },
        // Containers do not reach what the service listens on; all others do.
        originFor: async (driver, account) =>
          driver === "docker" && door ? door.originFor(account) : origin,
        gpuUse: () => lookAtGpuUse(runHere(env)),
      });
    },
    /** Closes what only containers come through. */
    shutDoor: async () => door?.close(),
  };
}
