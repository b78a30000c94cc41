// A NATS server with JetStream for the benchmark, built from its Go module. It syncs every message before it acknowledges it.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../../test/fixtures/free-port.ts";
import { buildGoProgram, type GoProgram } from "../../../test/fixtures/programs/go-program.ts";
import { spawnTracked, stopProcess } from "./peer-process.ts";
import { type QueueServer, untilAnswered } from "./queue-server.ts";

const NATS: GoProgram = {
  name: "nats-server",
  module: path.join(import.meta.dirname, "nats"),
  package: "github.com/nats-io/nats-server/v2",
};

/** Why there is none; null if there is. The first call builds it. */
export function natsProblem(): string | null {
  const built = buildGoProgram(NATS);
  return "problem" in built ? built.problem : null;
}

export async function startNats(folder: string): Promise<QueueServer> {
  const built = buildGoProgram(NATS);
  if ("problem" in built) throw new Error(built.problem);
  const port = await freePort();
  const config = path.join(folder, "nats.conf");
  writeFileSync(
    config,
    `host: 127.0.0.1\nport: ${port}\njetstream { store_dir: "${folder}", sync_interval: always }\n`,
  );
  const child = spawnTracked(built.path, ["-c", config, "-l", path.join(folder, "nats.log")]);
  await untilAnswered(port, "", "INFO");
  const url = `nats://127.0.0.1:${port}`;
  return { name: "nats", pid: child.pid!, url, stop: () => stopProcess(child) };
}
