// The machines that this replica manages, with their drivers: its own, and remote machines whose
// leadership it holds. Only the managing replica can observe a machine's workloads.

import type { MachineLoad } from "../../domain/machine/load/load.ts";
import type { DriverQueries } from "../../drivers/driver.ts";
import { Traffic } from "./traffic.ts";
import { UsageHistory } from "./usage-history.ts";

/** A machine that this replica manages. */
export interface LocalMachine {
  /** The read-only part of each driver. */
  looking: readonly DriverQueries[];
  /** Recent resource usage of the workloads. */
  usage: UsageHistory;
  /** Its own recent load, under its id. */
  load: UsageHistory<MachineLoad>;
  /** What clients exchange with the workloads through this replica. */
  traffic: Traffic;
}

export class LocalDrivers {
  readonly #machines = new Map<string, LocalMachine>();

  /** Undefined if this replica does not manage the machine. */
  at(machine: string): LocalMachine | undefined {
    return this.#machines.get(machine);
  }

  /** The newest load of each machine that has been measured. */
  loads(): [machine: string, load: MachineLoad][] {
    return [...this.#machines].flatMap(([machine, { load }]) => {
      const latest = load.latestOf(machine);
      return latest ? [[machine, latest]] : [];
    });
  }

  begin(machine: string, looking: readonly DriverQueries[]): LocalMachine {
    const localMachine = {
      looking,
      usage: new UsageHistory(),
      traffic: new Traffic(),
      load: new UsageHistory<MachineLoad>(),
    };
    this.#machines.set(machine, localMachine);
    return localMachine;
  }

  /** Does nothing if the machine has been added again since. */
  end(machine: string, localMachine: LocalMachine): void {
    if (this.#machines.get(machine) === localMachine) this.#machines.delete(machine);
  }
}
