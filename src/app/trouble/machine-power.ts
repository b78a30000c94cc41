// The trouble `machine-lost`: this machine is without power. What runs there ends, its drivers do not answer, and it
// sends no heartbeats.

import { type Driver, DriverUnavailable } from "../../drivers/driver.ts";
import type { Troubles } from "../../flows/trouble/troubles.ts";

export class MachinePower {
  readonly #troubles: Troubles;
  readonly #machine: string;
  #drawnFor: number | null = null;
  #isStruck = false;

  constructor(troubles: Troubles, machine: string) {
    this.#troubles = troubles;
    this.#machine = machine;
  }

  /** Drawn once each time that the fault is switched on. */
  get isOff(): boolean {
    const { active } = this.#troubles.stateOf("machine-lost");
    if (active !== null && active.since !== this.#drawnFor)
      this.#isStruck = this.#troubles.strikes("machine-lost", this.#machine);
    this.#drawnFor = active?.since ?? null;
    return active !== null && this.#isStruck;
  }
}

/** A driver of a machine that may be without power. */
export function powerDriver(driver: Driver, power: MachinePower): Driver {
  const isAlwaysThere = (name: string | symbol) => name === "close" || name === "onChange";
  return new Proxy(driver, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function" || isAlwaysThere(name)) return value;
      return (...args: unknown[]) => {
        if (!power.isOff) return value.apply(target, args);
        endAll(target);
        return name === "follow" ? silence() : Promise.reject(unavailable());
      };
    },
  });
}

/** Every call ends what runs, so that a start under way has no effect either. */
function endAll(driver: Driver): void {
  const end = async () => {
    const running = (await driver.list()).filter(({ state }) => state === "running");
    await Promise.all(running.map(({ id }) => driver.stop(id, 0)));
  };
  // The next call tries again.
  void end().catch(() => {});
}

// biome-ignore lint/correctness/useYield: a log that cannot be reached has no lines
async function* silence(): AsyncGenerator<never, void> {
  throw unavailable();
}

const unavailable = () => new DriverUnavailable("the machine does not answer: machine-lost is on");
