// What the house is put together from.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { PricedCatalog } from "../domain/catalog/prices.ts";
import type { Loop } from "../loops/loop.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";

export interface Parts {
  config: Config;
  store: Store;
  clock: Clock;
  catalog: PricedCatalog;
  /** Loops that keep the clock right, and the prices. */
  keeping: Loop[];
  ids: Ids;
  log: FastifyBaseLogger;
  /** What workers' secrets are derived from; 64 hexadecimal digits. */
  secretKey: string;
  /** The machine this replica runs on. */
  machine: string;
  env: Record<string, string | undefined>;
}
