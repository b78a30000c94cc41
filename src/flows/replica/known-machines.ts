// The online machines, as of this replica's last heartbeat. The replica's own machine is always included.

import { driverOn } from "../../domain/placement/driver-on.ts";
import type { Machine } from "../../store/replica/replica.ts";

export type KnownMachine = Pick<Machine, "machine" | "drivers" | "address">;

export class KnownMachines {
  /** The machine that this replica runs on. */
  readonly own: string;
  readonly #ownDrivers: readonly string[];
  #others: readonly KnownMachine[] = [];
  #remoteDrivers: readonly string[] = [];
  /** The number of online replicas, including this one. A replica can manage several machines. */
  replicas = 1;

  constructor(own: Pick<KnownMachine, "machine" | "drivers">) {
    this.own = own.machine;
    this.#ownDrivers = own.drivers;
  }

  note(machines: readonly KnownMachine[]): void {
    this.replicas = Math.max(1, new Set(machines.map(({ address }) => address)).size);
    this.#others = machines.filter(({ machine }) => machine !== this.own);
  }

  /** Notes the drivers of the remotes that were added, online or not. */
  noteRemotes(drivers: readonly string[]): void {
    this.#remoteDrivers = drivers;
  }

  /** Whether some machine has this driver; a remote that is offline has it still. */
  offer(driver: string): boolean {
    return (
      driverOn(this.#ownDrivers, driver) !== null ||
      driverOn(this.#remoteDrivers, driver) !== null ||
      this.#others.some(({ drivers }) => driverOn(drivers, driver) !== null)
    );
  }

  /** Whether a machine is online and has this driver. */
  offerOn(machine: string, driver: string): boolean {
    const drivers = machine === this.own ? this.#ownDrivers : this.other(machine)?.drivers;
    return driverOn(drivers ?? [], driver) !== null;
  }

  /** The addresses of the replicas that manage other machines; this one can be among them. */
  addresses(): string[] {
    return [...new Set(this.#others.map(({ address }) => address))];
  }

  /** Another machine, if a replica manages it. */
  other(machine: string): KnownMachine | undefined {
    return this.#others.find((each) => each.machine === machine);
  }
}
