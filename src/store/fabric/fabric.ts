// The tables `fabric` and `fabric_machine`: the networks between machines, and the machines that are part of
// each. The loop of each machine writes its own part.

import type { FabricManager } from "../../domain/fabric/fabric.ts";
import { ALL_ACCOUNTS, topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

export interface Fabric {
  name: string;
  /** The machine whose engine manages the networks. */
  leader: string;
  /** Its token is sealed; null until that engine is ready. */
  manager: FabricManager | null;
}

export interface FabricMachine {
  machine: string;
  fabric: string;
  /** Why its engine is not part of the fabric; null if it is. */
  trouble: string | null;
}

/** The fabric of a name; the first machine that asks for it becomes its leader. */
export function* claimFabric(name: string, machine: string, now: number): Tx<Fabric> {
  yield* change(
    "insert into fabric (name, leader, created_at) values (?, ?, ?) on conflict (name) do nothing",
    name,
    machine,
    now,
  );
  return (yield* lockFabric(name))!;
}

/** Locks it until the surrounding transaction ends. */
export function* lockFabric(name: string): Tx<Fabric | undefined> {
  const found = yield* row<{ name: string; leader: string; manager: string | null }>(
    "select name, leader, manager from fabric where name = ? /*+ for update */",
    name,
  );
  if (!found) return undefined;
  const manager = found.manager === null ? null : (JSON.parse(found.manager) as FabricManager);
  return { name, leader: found.leader, manager };
}

export function* saveFabricManager(name: string, manager: FabricManager): Tx<void> {
  yield* change("update fabric set manager = ? where name = ?", JSON.stringify(manager), name);
  yield* notify(topic.fabrics);
}

export function* recordFabricMachine({ machine, fabric, trouble }: FabricMachine): Tx<void> {
  yield* change(
    `insert into fabric_machine (machine, fabric, trouble) values (?, ?, ?)
     on conflict (machine) do update set fabric = excluded.fabric, trouble = excluded.trouble`,
    machine,
    fabric,
    trouble,
  );
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
}

export function* fabricMachines(): Tx<FabricMachine[]> {
  return yield* rows<FabricMachine>(
    "select machine, fabric, trouble from fabric_machine order by machine",
  );
}

/** Forgets a machine, and the fabric that it led. */
export function* forgetFabricMachine(machine: string): Tx<void> {
  yield* change("delete from fabric_machine where machine = ?", machine);
  yield* change("delete from fabric where leader = ?", machine);
}
