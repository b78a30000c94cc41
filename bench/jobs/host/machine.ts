// The machine and the software of a run, for the head of its results page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem, type } from "node:os";
import path from "node:path";
import { findPrograms } from "../../../test/postgres/server.ts";

const modules = path.join(import.meta.dirname, "..", "..", "..", "node_modules");

/** Null if Redis is not installed. */
export function redisVersion(): string | null {
  const { stdout } = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return stdout ? (/v=(\S+)/.exec(stdout)?.[1] ?? "of unknown version") : null;
}

/** The number in `postgres --version`. PostgreSQL must be installed. */
export function postgresVersion(): string {
  const program = path.join(findPrograms()!, "postgres");
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /\d+(\.\d+)*/.exec(stdout)![0];
}

/** Lines for the list of a page, the machine first. */
export function describeMachine(): string[] {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), ${gigabytes} GB, ${type()}`,
    `Node ${process.version}`,
  ];
}

/** A package and its installed version. */
export function packageVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
  return `${name} ${version}`;
}
