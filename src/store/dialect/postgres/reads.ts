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
  since: number;
}

/** What waits travels together, up to so many. */
const MOST_ASKS_A_TRIP = 64;
/** For so long what comes waits for a trip under way, which is usually back before that. */
const PATIENCE_MS = 2;
/** Who has waited longer than this for a connection that was lost does not wait for another. */
const SOON_LOST_MS = 1_000;

const refuseToWrite = () => {
  throw new Error("a verb that only reads tried to write");
};

export class Reads {
  readonly #lanes: Lane[];
  readonly #clock: Clock;
  #asks: Ask[] = [];
  #scheduled = false;
  #impatient: (() => void) | null = null;

  constructor(url: string, clock: Clock, connections: number) {
    this.#lanes = Array.from({ length: connections }, () => ({
      link: new Link(url, clock, "reads", "set default_transaction_read_only = on;"),
      busy: false,
      since: 0,
    }));
    this.#clock = clock;
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
      this.#schedule();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(({ link }) => link.close()));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Whatever is read from the sockets in this round of the event loop comes along.
    setImmediate(() => {
      this.#scheduled = false;
      this.#next();
    });
  }

  #next(): void {
    if (this.#asks.length === 0) return;
    // The first that is free, so that no more are opened than are needed at once.
    const lane = this.#lanes.find(({ busy }) => !busy);
    if (!lane || this.#soonBack()) return;
    lane.busy = true;
    lane.since = this.#clock.now();
    void this.#serve(lane.link, this.#asks.splice(0, MOST_ASKS_A_TRIP)).then(() => {
      lane.busy = false;
      this.#next();
    });
    this.#next();
  }

  /** True where a trip set out so lately that it is better to wait for it. */
  #soonBack(): boolean {
    const lately = this.#clock.now() - PATIENCE_MS;
    if (!this.#lanes.some(({ busy, since }) => busy && since > lately)) return false;
    this.#impatient ??= this.#clock.after(PATIENCE_MS, () => {
      this.#impatient = null;
      this.#next();
    });
    return true;
  }

  async #serve(link: Link, asks: Ask[]): Promise<void> {
    try {
      const queries = asks.flatMap((ask) => ask.queries);
      const results = await this.#trip(link, queries);
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

  /** Asks once more what was lost with its connection, for a read changes nothing. */
  async #trip(link: Link, queries: Query[]): Promise<unknown[]> {
    const begun = this.#clock.now();
    const session = await link.session();
    try {
      return await session.run(queries);
    } catch (error) {
      if (!session.lost || this.#clock.now() - begun > SOON_LOST_MS) throw error;
      return (await link.session()).run(queries);
    }
  }
}
