// What must hold for the server behind an address, checked before anything is set or written there.

import pg from "pg";
import { CONNECT_TIMEOUT_MS } from "./wire/session.ts";
import { standby, transactionPooler } from "./wire/unsuitable-server.ts";
import { codeOf } from "./wire/verdict.ts";

/** How often two connections are compared: a busy pooler may seldom give both the same one. */
const COMPARISONS = 3;
/** protocol_violation: what PgBouncer answers to a transaction in statement mode. */
const STATEMENT_MODE = "08P01";

/** Throws UnsuitableServer, or the error of the connection. */
export async function checkServer(url: string): Promise<void> {
  const first = await connect(url);
  try {
    const { pid, isStandby } = await inspect(first);
    if (isStandby) throw standby();
    // A pooler answers the connection with a number of its own.
    if (pid === (first as unknown as { processID: number }).processID) return;
    const second = await connect(url);
    try {
      if (await shareSessions(first, second)) throw transactionPooler();
    } finally {
      await second.end();
    }
  } finally {
    await first.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {}); // the query under way throws it
  await client.connect();
  return client;
}

async function inspect(client: pg.Client): Promise<{ pid: number; isStandby: boolean }> {
  const { rows } = await client.query(
    'select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby"',
  );
  return rows[0];
}

/** True if a session of the server serves both connections, or a connection changes its session. */
async function shareSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  try {
    const own = [(await inspect(first)).pid, (await inspect(second)).pid];
    for (let n = 0; n < COMPARISONS; n++) {
      await second.query("begin");
      const during = [(await inspect(first)).pid, (await inspect(second)).pid];
      await second.query("rollback");
      if (new Set([own[0], own[1]]).size < 2) return true;
      if (during[0] !== own[0] || during[1] !== own[1]) return true;
    }
    return false;
  } catch (error) {
    if (codeOf(error) === STATEMENT_MODE) return true;
    throw error;
  }
}
