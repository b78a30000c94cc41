// A PostgreSQL server of the simulation's own, at an address that moves: it crashes and restarts under the service, and
// a standby takes its place.

import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import {
  commands,
  killServer,
  makeServer,
  portOf,
  startServer,
  urlOf,
} from "../../postgres/server.ts";
import { commitOnBoth, followFrom, promote } from "../../postgres/standby.ts";
import { newFolder } from "./folders.ts";
import { within } from "./limit.ts";

const STOP = path.join(import.meta.dirname, "..", "..", "..", "bin", "stop-postgres.mjs");

export interface Database {
  url: string;
  server: DatabaseServer;
}

const NAME = "simulator";
/** A socket's name has a port, which no server here listens on. */
const PORT = 5432;

export class DatabaseServer {
  #folder: string;
  /** A folder with a link to the socket of the server that is the primary. */
  readonly #address: string;

  private constructor(folder: string, address: string) {
    this.#folder = folder;
    this.#address = address;
    this.#move();
  }

  static async start(): Promise<DatabaseServer> {
    const folder = newFolder();
    await makeServer(folder);
    await within("the start of PostgreSQL", startServer(folder));
    return new DatabaseServer(folder, newFolder());
  }

  async createDatabase(): Promise<Database> {
    await within("a new database", commands(this.#folder, [`create database ${NAME}`]));
    const url = new URL(urlOf(this.#folder, NAME));
    url.port = String(PORT);
    url.searchParams.set("host", this.#address);
    return { url: url.href, server: this };
  }

  /** Ends the server as a crash would, and starts it again. */
  async restart(): Promise<void> {
    await within("the end of PostgreSQL", killServer(this.#folder));
    await within("the restart of PostgreSQL", startServer(this.#folder));
  }

  /** Returns the failover to a standby that has every commit: the server crashes, and the standby gets its address. */
  async prepareFailover(): Promise<() => Promise<void>> {
    const standby = newFolder();
    await within("the start of a standby", followFrom(standby, this.#folder));
    await within("a standby that is in sync", commitOnBoth(this.#folder));
    return async () => {
      const before = this.#folder;
      await within("the end of the primary", killServer(before));
      await within("the promotion of a standby", promote(standby));
      this.#folder = standby;
      this.#move();
      remove(before);
    };
  }

  close(): void {
    remove(this.#folder);
  }

  /** New connections lead to the server. */
  #move(): void {
    const link = path.join(this.#address, socketName(PORT));
    rmSync(link, { force: true });
    symlinkSync(path.join(this.#folder, "socket", socketName(portOf(this.#folder))), link);
  }
}

const socketName = (port: number) => `.s.PGSQL.${port}`;

const remove = (folder: string) => void spawnSync(process.execPath, [STOP, folder]);
