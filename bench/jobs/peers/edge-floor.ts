// The peer Freehold's edge: Freehold's server, routes, checks and flows over maps in memory. The difference to Freehold
// is the cost of the store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { compose } from "../../../src/app/boot/compose.ts";
import { StartSteps } from "../../../src/app/start-steps.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { randomIds } from "../../../src/base/ids.ts";
import { readConfig } from "../../../src/config/config.ts";
import { PricedCatalog } from "../../../src/domain/catalog/prices.ts";
import { LocalTrust } from "../../../src/flows/local-trust.ts";
import { openSqlite } from "../../../src/store/engine/sqlite/open.ts";
import { seedBench } from "../bench-data.ts";
import { announce } from "../host/peer-process.ts";
import { MapStore } from "./map-store.ts";

const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-"));
process.on("SIGTERM", () => process.exit(0));
process.on("exit", () => rmSync(folder, { recursive: true }));
const store = new MapStore(openSqlite(path.join(folder, "freehold.db")));
await seedBench(store);
const log = pino({ level: "warn" }, pino.destination({ dest: 2, sync: true }));
const config = readConfig({ drivers: "simulated", data: folder }, {}, folder);
const { app } = await compose({
  config,
  store,
  localTrust: new LocalTrust({ store, isLocal: config.isLocal }),
  catalog: new PricedCatalog(config.catalog),
  clock: systemClock,
  virtualTime: null,
  troubles: null,
  keeping: [],
  certificate: null,
  ids: randomIds,
  log,
  steps: new StartSteps(log),
  secretKey: "0".repeat(64),
  installation: "bench",
  machine: "bench",
  env: {},
  tracer: null,
  provider: null,
  localRoot: null,
  failedOrders: () => 0,
});
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
