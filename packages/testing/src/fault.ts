// A fault of a service that a test switches on.

import type { Client } from "./client.ts";

export interface FaultOptions {
  /** When it ends by itself: "90s", "5m". */
  for?: string;
  /** The share of what it can strike that it strikes; 1 by default. */
  rate?: number;
  /** A part of what it strikes, such as "POST /v1/pods". */
  match?: string;
}

/** A fault that is on, until `off` or the end of an `await using` block. */
export class Fault implements AsyncDisposable {
  readonly name: string;
  readonly #client: Client;
  readonly #before: number;

  private constructor(client: Client, name: string, before: number) {
    this.#client = client;
    this.name = name;
    this.#before = before;
  }

  static async on(client: Client, name: string, options: FaultOptions): Promise<Fault> {
    const { hits } = (await client.call("POST", "/v1/faults", { name, ...options })) as State;
    return new Fault(client, name, hits);
  }

  /** How many requests it has hit since it was switched on. */
  async hits(): Promise<number> {
    const faults = (await this.#client.call("GET", "/v1/faults")) as State[];
    return faults.find(({ name }) => name === this.name)!.hits - this.#before;
  }

  async off(): Promise<void> {
    await this.#client.call("DELETE", `/v1/faults/${this.name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.off();
  }
}

interface State {
  name: string;
  hits: number;
}
