// Failures of the database itself, as they happen in production.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { startServer } from "../postgres/server.ts";

/** Ends the server as `pg_ctl stop -m fast` or `-m immediate` does, and starts it after a while. */
export async function restart(folder: string, how: "fast" | "immediate", awayMs: number) {
  const file = path.join(folder, "data", "postmaster.pid");
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  process.kill(pid, how === "fast" ? "SIGINT" : "SIGQUIT");
  await until(() => !existsSync(`/proc/${pid}`) || isZombie(pid));
  await pauseMs(awayMs);
  await startServer(folder);
}

function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Closes every connection to the database except this one. */
export async function cutAll(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** Opens connections until the database has none left; returns a function that closes them. */
export async function takeAll(url: string): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
    } catch {
      return async () => {
        await Promise.all(taken.map((each) => each.end()));
      };
    }
    taken.push(client);
  }
}
