// The plain connections of a listener: those that wait for long are closed, or given to Node's server, which has
// timeouts for them.

import type { Socket } from "node:net";
import { PlainConnection, type PlainConnectionOptions } from "./plain-connection.ts";

const SWEEP_MS = 5_000;
/** After so many sweeps, a connection that has sent nothing is Node's. */
const NEW_SWEEPS = 2;

export class PlainConnections {
  readonly #options: PlainConnectionOptions;
  readonly #open = new Set<PlainConnection>();
  #cancelSweep: (() => void) | null = null;

  constructor(options: Omit<PlainConnectionOptions, "onClose">) {
    const onClose = (connection: PlainConnection) => this.#remove(connection);
    this.#options = { ...options, onClose };
  }

  accept(socket: Socket): void {
    this.#open.add(new PlainConnection(socket, this.#options));
    this.#cancelSweep ??= this.#options.clock.after(SWEEP_MS, () => this.#sweep());
  }

  closeIdle(): void {
    for (const each of this.#open) if (each.isIdle) each.close();
  }

  closeAll(): void {
    for (const each of this.#open) each.close();
  }

  #remove(connection: PlainConnection): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    this.#cancelSweep?.();
    this.#cancelSweep = null;
  }

  #sweep(): void {
    const maxSweeps = Math.ceil((this.#options.keepAliveS * 1_000) / SWEEP_MS) + 1;
    for (const each of this.#open) {
      if (!each.isIdle) continue;
      each.sweeps++;
      if (each.isNew && each.sweeps >= NEW_SWEEPS) each.handOver();
      else if (each.sweeps > maxSweeps) each.close();
    }
    if (this.#open.size === 0) return;
    this.#cancelSweep = this.#options.clock.after(SWEEP_MS, () => this.#sweep());
  }
}
