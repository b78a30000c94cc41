// What a worker's polls show: that it is ready, and whether it holds anything. Noted at most every
// few seconds, for a poll must not cost a write.

import type { Clock } from "../../base/clock.ts";
import type { Sign } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { noteSign } from "../../store/worker/worker.ts";

const NOTED_EVERY_MS = 2_000;
const MOST = 20_000;

export class Presence {
  readonly #store: Store;
  readonly #clock: Clock;
  #noted = new Map<string, number>();

  constructor(deps: { store: Store; clock: Clock }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  note(workerId: string, kind: "idle" | "busy" | "stop"): void {
    const now = this.#clock.now();
    const name = `${kind}:${workerId}`;
    const last = this.#noted.get(name);
    if (last !== undefined && now < last + NOTED_EVERY_MS) return;
    if (this.#noted.size >= MOST) this.#noted.clear();
    this.#noted.set(name, now);
    const sign: Sign = { ready: true, polledIdle: kind === "idle", stopPolled: kind === "stop" };
    // Nobody waits for this; while the store is away the worker will call again.
    this.#store.write(noteSign, workerId, sign, now).catch(() => this.#noted.delete(name));
  }
}
