// The peer BullMQ: its queue behind the benchmark's routes. BENCH_REDIS_PORT is the port of its Redis.
import { benchKeys } from "../bench-key.ts";
import { announce } from "../host/peer-process.ts";
import { BullMqQueue } from "./bullmq-queue.ts";
import { buildRoutes } from "./routes.ts";

const queue = await BullMqQueue.connect(Number(process.env.BENCH_REDIS_PORT));
const app = buildRoutes(queue, benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
