// A party: the routes over maps in memory, nothing stored.
import { benchKeys } from "./bench-key.ts";
import { MemoryQueue } from "./memory-queue.ts";
import { announce } from "./party-process.ts";
import { buildRoutes } from "./routes.ts";

const app = buildRoutes(new MemoryQueue(), benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
