// An invariant holds after every step of the simulation, once everything has settled.

import { rows, type Tx } from "../../../src/store/engine/statement.ts";
import { type Simulation, Violation } from "../model.ts";
import type { World } from "../world/world.ts";

export type Invariant = (simulation: Simulation) => Promise<void>;

/** Reads the service's tables as an auditor would, without its own code. */
export function query<Row>({ world }: Pick<Simulation, "world">, sql: string): Promise<Row[]> {
  return world.read(all<Row>, sql);
}

function* all<Row>(sql: string): Tx<Row[]> {
  return yield* rows<Row>(sql);
}

export function violate(invariant: string, detail: unknown): never {
  throw new Violation(invariant, typeof detail === "string" ? detail : JSON.stringify(detail));
}

/** Notices what lasts longer than it may: a loop acts a moment after the instant that it acts on. */
export class Lasting {
  readonly #since = new Map<string, number>();
  readonly #mayLastMs: number;

  constructor(mayLastMs: number) {
    this.#mayLastMs = mayLastMs;
  }

  /** Of what is so now, what has been so for too long. */
  tooLong(current: Iterable<string>, { ticks, orderlySinceTicks }: World): string[] {
    const found = new Set(current);
    for (const each of this.#since.keys()) if (!found.has(each)) this.#since.delete(each);
    for (const each of found) if (!this.#since.has(each)) this.#since.set(each, ticks);
    return [...found].filter(
      (each) => ticks - Math.max(this.#since.get(each)!, orderlySinceTicks) > this.#mayLastMs,
    );
  }
}
