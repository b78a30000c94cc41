// Two replicas on one database that a test can call separately.

import type { TestContext } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
  toolsOf,
} from "../fixtures/service/service.ts";

export type Tools = ReturnType<typeof toolsOf>;

export interface Pair {
  service: TestService;
  /** Calls to one replica. A worker created through `b` calls `b`. */
  a: Tools;
  b: Tools;
}

export async function startPair(t: TestContext, options: ServiceOptions = {}): Promise<Pair> {
  const service = await startService(t, { ...options, replicas: 2 });
  const [a, b] = service.replicas.map((up) => toolsOf(up));
  return { service, a: a!, b: b! };
}
