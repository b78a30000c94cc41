// A party: the routes over pg-boss. BENCH_DATABASE_URL says which database it has for itself.
import { benchKeys } from "./bench-key.ts";
import { announce } from "./party-process.ts";
import { PgBossQueue } from "./pg-boss-queue.ts";
import { buildRoutes } from "./routes.ts";

const queue = await PgBossQueue.connect(process.env.BENCH_DATABASE_URL!);
const app = buildRoutes(queue, benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
