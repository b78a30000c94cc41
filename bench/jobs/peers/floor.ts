// The peer bare Fastify: the benchmark's routes over maps in memory, nothing stored.
import { benchKeys } from "../bench-key.ts";
import { announce } from "../host/peer-process.ts";
import { MemoryQueue } from "./memory-queue.ts";
import { buildRoutes } from "./routes.ts";

const app = buildRoutes(new MemoryQueue(), benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
