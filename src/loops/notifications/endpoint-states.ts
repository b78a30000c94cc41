// What one pass compares: the endpoints of accounts, the jobs that ended lately, and the ends of workers. Each
// is read once, however many rules ask for it.

import type { BackOff } from "../../domain/endpoint/crash-loop-back-off.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { EndedJobs } from "../../domain/notification/failure-rate.ts";
import type { EndedWorker } from "../../domain/worker/worker.ts";
import { readFleet } from "../../flows/endpoint/fleet.ts";
import { listEndpoints } from "../../store/endpoint/endpoint.ts";
import { endedJobsSince } from "../../store/endpoint/history.ts";
import type { Store } from "../../store/engine/store.ts";

interface Crashes {
  verdict: BackOff["verdict"];
  tries: number;
  /** The last failed worker. */
  worker: EndedWorker | undefined;
}

export class EndpointStates {
  readonly #store: Store;
  readonly #now: number;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(store: Store, now: number) {
    this.#store = store;
    this.#now = now;
  }

  endpointsOf(accountId: string): Promise<Endpoint[]> {
    return this.#once(`endpoints ${accountId}`, () => this.#store.read(listEndpoints, accountId));
  }

  async endedJobs(accountId: string, endpointId: string, windowMs: number): Promise<EndedJobs> {
    const all = await this.#once(`jobs ${accountId} ${windowMs}`, () =>
      this.#store.read(endedJobsSince, accountId, this.#now - windowMs),
    );
    const { completed = 0, failed = 0 } = all.find((each) => each.endpointId === endpointId) ?? {};
    return { completed, failed };
  }

  crashes(endpoint: Endpoint): Promise<Crashes> {
    return this.#once(`crashes ${endpoint.id}`, async () => {
      const { fleet, failures } = await this.#store.read(readFleet, endpoint, this.#now);
      const { verdict, consecutive } = fleet.backOff;
      return { verdict, tries: consecutive, worker: failures[0] };
    });
  }

  #once<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const known = this.#known.get(key) ?? read();
    this.#known.set(key, known);
    return known as Promise<Result>;
  }
}
