// Two replicas on one database, each to be talked to by itself.

import type { TestContext } from "node:test";
import { type Answer, type HouseOptions, startHouse, type TestHouse, toolsOf } from "../house.ts";

export type Tools = ReturnType<typeof toolsOf>;

export interface Pair {
  house: TestHouse;
  /** Calls to one replica alone. A worker made by `b` calls `b`. */
  a: Tools;
  b: Tools;
}

export async function startPair(t: TestContext, options: HouseOptions = {}): Promise<Pair> {
  const house = await startHouse(t, { ...options, replicas: 2 });
  const [a, b] = house.replicas.map(toolsOf);
  return { house, a: a!, b: b! };
}

export type { Answer };
