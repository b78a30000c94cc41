// Reads: on connections of their own that cannot write, each query for itself. A verb that reads
// several times may see a change between two of them, which whoever reads must bear anyway.

import type { Clock } from "../../../base/clock.ts";
import type { Query, Verb } from "../../statement.ts";
import { refuse } from "./faults.ts";
import { inStep } from "./in-step.ts";
import { Link } from "./link.ts";

interface Ask {
  queries: Query[];
  resolve: (results: unknown[]) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  link: Link;
  busy: boolean;
}

/** What waited while all connections were busy travels together, up to so many. */
const MOST_ASKS_A_TRIP = 16;

const refuseToWrite = () => {
  throw new Error("a verb that only reads tried to write");
};

export class Reads {
  readonly #lanes: Lane[];
  #asks: Ask[] = [];

  constructor(url: string, clock: Clock, connections: number) {
    this.#lanes = Array.from({ length: connections }, () => ({
      link: new Link(url, clock, "reads", "set default_transaction_read_only = on;"),
      busy: false,
    }));
  }

  async run<Result>(verb: Verb<Result>): Promise<Result> {
    const rounds = inStep([verb], refuseToWrite);
    let round = rounds.next();
    while (!round.done) round = rounds.next(await this.ask(round.value));
    return round.value[0] as Result;
  }

  ask(queries: Query[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#asks.push({ queries, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(({ link }) => link.close()));
  }

  #next(): void {
    // The first that is free, so that no more are opened than are needed at once.
    const lane = this.#asks.length > 0 ? this.#lanes.find(({ busy }) => !busy) : undefined;
    if (!lane) return;
    lane.busy = true;
    void this.#serve(lane.link, this.#asks.splice(0, MOST_ASKS_A_TRIP)).then(() => {
      lane.busy = false;
      this.#next();
    });
  }

  async #serve(link: Link, asks: Ask[]): Promise<void> {
    try {
      const session = await link.session();
      const results = await session.run(asks.flatMap(({ queries }) => queries));
      let at = 0;
      for (const { queries, resolve } of asks) {
        resolve(results.slice(at, at + queries.length));
        at += queries.length;
      }
    } catch (error) {
      if (asks.length === 1 || refuse(error) !== error) {
        for (const { reject } of asks) reject(refuse(error));
        return;
      }
      // One of them is bad, and the others travelled with it: each for itself.
      for (const ask of asks) await this.#serve(link, [ask]);
    }
  }
}
