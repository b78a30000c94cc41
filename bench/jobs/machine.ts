// Where and on what a run was made, for the head of its page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem, type } from "node:os";
import path from "node:path";
import { findPrograms } from "../../test/postgres/server.ts";

const modules = path.join(import.meta.dirname, "..", "..", "node_modules");

/** Null where it is not installed. */
export function redisVersion(): string | null {
  const { stdout } = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return stdout ? (/v=(\S+)/.exec(stdout)?.[1] ?? "of unknown version") : null;
}

/** `postgres --version`, shortened; the programs are there. */
export function postgresVersion(): string {
  const program = path.join(findPrograms()!, "postgres");
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /\d+(\.\d+)*/.exec(stdout)![0];
}

/** One sentence part each, the machine first. */
export function describeMachine(): string[] {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), ${gigabytes} GB, ${type()}`,
    `Node ${process.version}`,
  ];
}

/** A package and its version, as it is installed. */
export function packageVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
  return `${name} ${version}`;
}
