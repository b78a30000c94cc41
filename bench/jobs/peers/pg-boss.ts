// The peer pg-boss: its queue behind the benchmark's routes. BENCH_DATABASE_URL names its database.
import { benchKeys } from "../bench-key.ts";
import { announce } from "../host/peer-process.ts";
import { PgBossQueue } from "./pg-boss-queue.ts";
import { buildRoutes } from "./routes.ts";

const queue = await PgBossQueue.connect(process.env.BENCH_DATABASE_URL!);
const app = buildRoutes(queue, benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
