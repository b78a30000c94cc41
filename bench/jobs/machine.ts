// Where and on what a run was made, for the head of its page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem, type } from "node:os";
import path from "node:path";

const modules = path.join(import.meta.dirname, "..", "..", "node_modules");

/** Null where it is not installed. */
export function redisVersion(): string | null {
  const { stdout } = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return stdout ? (/v=(\S+)/.exec(stdout)?.[1] ?? "of unknown version") : null;
}

/** One sentence part each, the machine first. */
export function describeMachine(): string[] {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const redis = redisVersion();
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), ${gigabytes} GB, ${type()}`,
    `Node ${process.version}, SQLite ${process.versions.sqlite}`,
    ...["fastify", "bullmq"].map((name) => `${name} ${packageVersion(name)}`),
    redis ? `Redis ${redis}` : "no Redis",
  ];
}

function packageVersion(name: string): string {
  return JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8")).version;
}
