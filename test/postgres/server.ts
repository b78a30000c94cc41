// A PostgreSQL server for tests and benchmarks: Debian's programs, a data folder and a port of its own, loopback
// only. For tests it does not sync its disk.

import { execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";

const USER = "freehold";
const PASSWORD = "a test's own";

const DEBIAN = "/usr/lib/postgresql";
/** For a program that only copies or checks files, on a busy machine. */
const MAX_RUN_MS = 240_000;

/** The folder of the newest server's programs, or null if none is installed. */
export function findPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((each) => path.join(DEBIAN, each, "bin")),
    ...(process.env.PATH ?? "").split(path.delimiter),
  ];
  return folders.find((each) => existsSync(path.join(each, "initdb"))) ?? null;
}

/** The server refuses to run as root, so root runs it as Debian's user for it. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Gives a server's folder, and what is directly in it, to the user that runs the server. */
export function ownFolder(folder: string): void {
  const { uid, gid } = serverUser();
  if (uid === undefined) return;
  for (const each of [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]) {
    chownSync(each, uid, gid!);
  }
}

/** Runs one of PostgreSQL's programs on a server's folder. */
export function runAsOwner(folder: string, program: string, args: string[]): void {
  const options = { ...serverUser(), cwd: folder, stdio: "pipe", timeout: MAX_RUN_MS } as const;
  execFileSync(path.join(findPrograms()!, program), args, options);
}

/** The port of the server in this folder. */
export function portOf(folder: string): number {
  return Number(readFileSync(path.join(folder, "port"), "utf8"));
}

export function urlOf(folder: string, database: string): string {
  const password = encodeURIComponent(PASSWORD);
  return `postgres://${USER}:${password}@127.0.0.1:${portOf(folder)}/${database}`;
}

/** Runs statements one after another on the server in this folder. */
export async function commands(
  folder: string,
  sqls: string[],
  database = "postgres",
): Promise<void> {
  const client = new pg.Client(urlOf(folder, database));
  await client.connect();
  try {
    for (const sql of sqls) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Where the test command has put the shared server. */
export function serversFolder(): string {
  const { FREEHOLD_TEST_POSTGRES: shared } = process.env;
  return shared ? path.dirname(shared) : tmpdir();
}

/** An empty folder for a server. */
export const newServerFolder = (): string =>
  mkdtempSync(path.join(serversFolder(), "freehold-postgres-"));

/** Creates a data folder below `folder`, which must exist and be empty. */
export async function makeServer(folder: string): Promise<void> {
  const programs = findPrograms()!;
  const owner = serverUser();
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!);
  const secret = path.join(folder, "password");
  writeFileSync(secret, PASSWORD, { mode: 0o644 });
  const data = path.join(folder, "data");
  const options = ["--auth=scram-sha-256", `--pwfile=${secret}`, "--no-sync", "--encoding=UTF8"];
  const args = ["-D", data, "-U", USER, "--locale=C.UTF-8", "--no-instructions", ...options];
  execFileSync(path.join(programs, "initdb"), args, { ...owner, cwd: folder, stdio: "pipe" });
  mkdirSync(path.join(folder, "socket"));
  if (owner.uid !== undefined) chownSync(path.join(folder, "socket"), owner.uid, owner.gid!);
  writeFileSync(path.join(folder, "port"), String(await freePort()));
}

/** Nothing is synced: a test's data need not survive a power cut. The log stays small, since it may be in memory. */
export const WITHOUT_SYNC = {
  shared_buffers: "64MB",
  fsync: "off",
  full_page_writes: "off",
  max_wal_size: "256MB",
};

/** Starts the server in this folder and waits until it accepts connections. */
export async function startServer(
  folder: string,
  overrides: Record<string, string> = WITHOUT_SYNC,
): Promise<void> {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: portOf(folder),
    unix_socket_directories: path.join(folder, "socket"),
    max_connections: 200,
    logging_collector: "off",
    ...overrides,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const data = path.join(folder, "data");
  const file = path.join(folder, "log");
  const log = openSync(file, "w");
  const child = spawn(path.join(findPrograms()!, "postgres"), ["-D", data, ...flags], {
    ...serverUser(),
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL ended: ${readFileSync(file, "utf8")}`)));
  });
  failed.catch(() => {});
  // A standby is ready for read-only ones.
  const isReady = () =>
    /ready to accept (?:read-only )?connections/.test(readFileSync(file, "utf8"));
  await Promise.race([failed, until(isReady)]);
  child.removeAllListeners();
}

/** Ends the server as a crash would; its data stays. */
export async function killServer(folder: string): Promise<void> {
  const file = path.join(folder, "data", "postmaster.pid");
  process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGQUIT");
  await until(() => !existsSync(file));
}
