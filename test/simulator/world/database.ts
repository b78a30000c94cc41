// A PostgreSQL server of the simulation's own, behind an address that moves: it crashes and restarts under the service, and
// a standby takes its place. One server serves several histories, each with a database of its own.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { Relay } from "../../postgres/relay.ts";
import {
  commands,
  killServer,
  makeServer,
  newServerFolder,
  portOf,
  startServer,
  urlOf,
} from "../../postgres/server.ts";
import { commitOnBoth, followFrom, promote } from "../../postgres/standby.ts";

const STOP = path.join(import.meta.dirname, "..", "..", "..", "bin", "stop-postgres.mjs");

/** What one history has. */
export interface Database {
  url: string;
  server: DatabaseServer;
}

export class DatabaseServer {
  #folder: string;
  readonly #relay: Relay;
  readonly #closeRelay: () => void;
  #databases = 0;

  private constructor(folder: string, relay: Relay, closeRelay: () => void) {
    this.#folder = folder;
    this.#relay = relay;
    this.#closeRelay = closeRelay;
  }

  static async start(): Promise<DatabaseServer> {
    const folder = newServerFolder();
    await makeServer(folder);
    await startServer(folder);
    let closeRelay = () => {};
    const relay = await Relay.start({ after: (close) => (closeRelay = close) }, portOf(folder));
    return new DatabaseServer(folder, relay, closeRelay);
  }

  async newDatabase(): Promise<Database> {
    const name = `simulator${++this.#databases}`;
    await commands(this.#folder, [`create database ${name}`]);
    return { url: this.#relay.urlFor(urlOf(this.#folder, name)), server: this };
  }

  /** Ends the server as a crash would, and starts it again. */
  async restart(): Promise<void> {
    await killServer(this.#folder);
    await startServer(this.#folder);
  }

  /** Returns the failover to a standby that has every commit: the server crashes, and the standby gets its address. */
  async prepareFailover(): Promise<() => Promise<void>> {
    const standby = newServerFolder();
    await followFrom(standby, this.#folder);
    await commitOnBoth(this.#folder);
    return async () => {
      const before = this.#folder;
      await killServer(before);
      await promote(standby);
      this.#relay.pointTo(portOf(standby));
      this.#folder = standby;
      remove(before);
    };
  }

  close(): void {
    this.#closeRelay();
    remove(this.#folder);
  }
}

const remove = (folder: string) => void spawnSync(process.execPath, [STOP, folder]);
