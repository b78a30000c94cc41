// A Redis server for the benchmark.
import { freePort } from "../../../test/fixtures/free-port.ts";
import { spawnTracked, stopProcess } from "./peer-process.ts";
import { type QueueServer, untilAnswered } from "./queue-server.ts";

export async function startRedis(
  folder: string,
  appendfsync: "always" | "everysec",
): Promise<QueueServer> {
  const port = await freePort();
  const child = spawnTracked("redis-server", [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--appendonly",
    "yes",
    "--appendfsync",
    appendfsync,
    "--save",
    "",
    "--maxmemory-policy",
    "noeviction",
    "--logfile",
    "redis.log",
  ]);
  await untilAnswered(port, "PING\r\n", "+PONG");
  const url = `redis://127.0.0.1:${port}`;
  return { name: "redis", pid: child.pid!, url, stop: () => stopProcess(child) };
}
