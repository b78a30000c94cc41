// What the simulation knows: what the service has promised to it, and what it has seen since. Invariants compare
// the service with this.

import type { Seeded } from "../../sim/day/seeded.ts";
import type { Action } from "./actions/action.ts";
import type { Answer, World } from "./world/world.ts";

export interface KnownAccount {
  id: string;
  key: string;
}

export interface KnownEndpoint {
  id: string;
  account: KnownAccount;
  echoes: boolean;
  /** None of its workers ever serves. */
  crashes: boolean;
  isDeleted: boolean;
}

/** A job that the service accepted. */
export interface KnownJob {
  id: string;
  endpoint: KnownEndpoint;
  /** Its input as JSON. */
  input: string;
  /** How it ended, once that was seen; null again after a client's retry. */
  end: { state: string; at: number; forgetAt: number; result: string } | null;
}

export interface Model {
  accounts: KnownAccount[];
  endpoints: KnownEndpoint[];
  /** Accepted jobs until their retention is over. */
  jobs: Map<string, KnownJob>;
  /** An instant before the last change is not owed. */
  schedules: { id: string; account: KnownAccount; changedAt: number }[];
  /** What was spent before the last change is no violation at once. */
  budgets: { id: string; account: KnownAccount; period: string; changedAt: number }[];
  faults: Set<string>;
  volumes: { id: string; account: KnownAccount }[];
  names: number;
}

export interface Simulation {
  world: World;
  model: Model;
  random: Seeded;
  coverage: Coverage;
  actions: Record<string, Action>;
  /** The last that began. */
  action: string;
  /** Adds to the trace, which is equal for equal seeds. */
  trace(text: string): void;
  /** Calls the service as a client; throws if the answer is one that the service never owes anyone. */
  call(
    account: KnownAccount,
    method: "GET" | "POST" | "PATCH" | "DELETE",
    address: string,
    body?: unknown,
  ): Promise<Answer>;
}

/** How often each thing happened, by kind and name. */
export class Coverage {
  readonly counts = new Map<string, number>();

  count(kind: string, name: string, by = 1): void {
    const key = `${kind} ${name}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + by);
  }
}

export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}

export const newModel = (operator: KnownAccount): Model => ({
  accounts: [operator],
  endpoints: [],
  jobs: new Map(),
  schedules: [],
  budgets: [],
  volumes: [],
  faults: new Set(),
  names: 0,
});

export function pick<Item>({ random }: Pick<Simulation, "random">, items: readonly Item[]): Item {
  return items[Math.floor(random.next() * items.length)]!;
}

/** Mostly the operator's, which lacks no credits. */
export const pickAccount = (simulation: Simulation): KnownAccount =>
  oneIn(simulation, 2)
    ? simulation.model.accounts[0]!
    : pick(simulation, simulation.model.accounts);

/** True once in so many times. */
export const oneIn = ({ random }: Pick<Simulation, "random">, times: number): boolean =>
  random.next() * times < 1;

export const whole = ({ random }: Pick<Simulation, "random">, low: number, high: number): number =>
  Math.floor(random.between(low, high + 1));

export const newName = ({ model }: Simulation): string => `n${++model.names}`;

export const liveEndpoints = ({ model }: Simulation) =>
  model.endpoints.filter(({ isDeleted }) => !isDeleted);
