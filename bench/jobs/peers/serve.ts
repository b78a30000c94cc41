// The benchmark's routes over one queue: node serve.ts QUEUE, a file in queues/. BENCH_BACKEND is where its server is.
import { benchKeys } from "../bench-key.ts";
import { announce } from "../host/peer-process.ts";
import type { Queue } from "./queues/queue.ts";
import { buildRoutes } from "./routes.ts";

const { connect }: { connect: (backend: string) => Queue | Promise<Queue> } = await import(
  `./queues/${process.argv[2]}.ts`
);
const app = buildRoutes(await connect(process.env.BENCH_BACKEND ?? ""), benchKeys);
await app.listen({ port: 0, host: "127.0.0.1" });
announce(app.server.address());
