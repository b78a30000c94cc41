// A Redis server for the benchmark: on a free port, in a given folder, stopped with the benchmark.

import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { spawnTracked, stopProcess } from "./peer-process.ts";

export interface RunningRedis {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

export type SyncPolicy = "always" | "everysec";

export async function startRedis(folder: string, sync: SyncPolicy): Promise<RunningRedis> {
  const port = await freePort();
  const child = spawnTracked("redis-server", [
    ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder],
    ...["--appendonly", "yes", "--appendfsync", sync, "--save", ""],
    ...["--maxmemory-policy", "noeviction", "--logfile", "redis.log"],
  ]);
  child.once("error", () => {
    process.stderr.write("redis-server is not installed; on Debian: apt install redis-server\n");
    process.exit(1);
  });
  for (let attempt = 0; !(await answers(port)); attempt++) {
    if (attempt === 100) throw new Error("redis-server did not start within five seconds");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { pid: child.pid!, port, stop: () => stopProcess(child) };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString("latin1").startsWith("+PONG"));
    });
    socket.once("error", () => resolve(false));
  });
}
