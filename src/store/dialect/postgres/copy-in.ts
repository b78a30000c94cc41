// `copy ... from stdin`, fed as fast as the server takes it: by far the quickest way into a table.

import { once } from "node:events";
import type pg from "pg";

/** So much is gathered before it is sent. */
const PIECE_CHARACTERS = 256 * 1_024;

interface CopyConnection extends pg.Connection {
  query(text: string): void;
  sendCopyFromChunk(piece: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
}

/** Copies lines in PostgreSQL's text format, each with its end. Throws what the server says. */
export async function copyIn(client: pg.Client, sql: string, lines: Iterable<string>) {
  const copy = new CopyIn(sql);
  client.query(copy);
  const connection = await copy.ready;
  try {
    let piece = "";
    for (const line of lines) {
      piece += line;
      if (piece.length < PIECE_CHARACTERS) continue;
      connection.sendCopyFromChunk(Buffer.from(piece));
      piece = "";
      // Also where it is not full: the event loop hears that the server has given up.
      await drained(connection, copy);
    }
    connection.sendCopyFromChunk(Buffer.from(piece));
    connection.endCopyFrom();
  } catch (error) {
    connection.sendCopyFail("the other side cannot go on");
    await copy.done.catch(() => {});
    throw error;
  }
  await copy.done;
}

async function drained({ stream }: CopyConnection, copy: CopyIn): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (copy.failed) throw copy.failed;
  if (stream.writableNeedDrain) await Promise.race([once(stream, "drain"), copy.done]);
}

class CopyIn implements pg.Submittable {
  readonly ready: Promise<CopyConnection>;
  readonly done: Promise<void>;
  failed: Error | null = null;
  readonly #sql: string;
  #begin!: (connection: CopyConnection) => void;
  #refuse!: (error: Error) => void;
  #resolve!: () => void;
  #reject!: (error: Error) => void;

  constructor(sql: string) {
    this.#sql = sql;
    this.ready = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // whoever feeds it looks at it in time
  }

  submit(connection: pg.Connection): void {
    (connection as CopyConnection).query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#begin(connection);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    this.failed = error;
    this.#refuse(error);
    this.#reject(error);
  }
}
