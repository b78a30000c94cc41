// A party: the routes over BullMQ. BENCH_REDIS_PORT says where its Redis listens.
import { benchKeys } from "./bench-key.ts";
import { BullMqQueue } from "./bullmq-queue.ts";
import { announce } from "./party-process.ts";
import { buildRoutes } from "./routes.ts";

const queue = await BullMqQueue.connect(Number(process.env.BENCH_REDIS_PORT));
const app = buildRoutes(queue, benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
