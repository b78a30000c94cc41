// The COPY FROM STDIN command, fed as fast as the server accepts it: the fastest way to fill a table.

import { once } from "node:events";
import type pg from "pg";
import { yieldToEventLoop } from "../../../../base/clock.ts";

/** Lines are collected up to this size before they are sent. */
const CHUNK_CHARACTERS = 256 * 1_024;

interface CopyConnection extends pg.Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Copies lines in PostgreSQL's text format, line ends included. Throws the server's error. */
export async function copyIn(client: pg.Client, sql: string, lines: Iterable<string>) {
  const copy = new CopyIn(sql);
  client.query(copy);
  const connection = await copy.ready;
  try {
    let chunk = "";
    for (const line of lines) {
      chunk += line;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      connection.sendCopyFromChunk(Buffer.from(chunk));
      chunk = "";
      // Even if the buffer has room: lets the event loop read an error of the server.
      await drained(connection, copy);
    }
    connection.sendCopyFromChunk(Buffer.from(chunk));
    connection.endCopyFrom();
  } catch (error) {
    connection.sendCopyFail("the source cannot be read");
    await copy.done.catch(() => {});
    throw error;
  }
  await copy.done;
}

async function drained({ stream }: CopyConnection, copy: CopyIn): Promise<void> {
  await yieldToEventLoop();
  if (copy.failed) throw copy.failed;
  if (stream.writableNeedDrain) await Promise.race([once(stream, "drain"), copy.done]);
}

class CopyIn implements pg.Submittable {
  readonly ready: Promise<CopyConnection>;
  readonly done: Promise<void>;
  failed: Error | null = null;
  readonly #sql: string;
  #start!: (connection: CopyConnection) => void;
  #fail!: (error: Error) => void;
  #resolve!: () => void;
  #reject!: (error: Error) => void;

  constructor(sql: string) {
    this.#sql = sql;
    this.ready = new Promise((resolve, reject) => {
      this.#start = resolve;
      this.#fail = reject;
    });
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // copyIn awaits it in the end
  }

  submit(connection: pg.Connection): void {
    (connection as CopyConnection).query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#start(connection);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    this.failed = error;
    this.#fail(error);
    this.#reject(error);
  }
}
