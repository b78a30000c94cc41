// The facts of many files of a folder, from a thread that looks at them one after another. A page of a list has 1,000
// files, and a trip through Node's thread pool for each costs twice as much as looking at it. The thread starts with the
// first page.

import { Worker } from "node:worker_threads";
import { scriptBeside } from "../../base/script-beside.ts";
import type { FileFacts } from "../volume-files.ts";
import { factsOf } from "./opened-file.ts";

export interface StatRequest {
  /** Its path, valid until the reply. */
  folder: string;
  names: readonly string[];
}

/** The numbers of each file: 1 if it exists, its size, its time and its inode. */
export const FACTS_PER_FILE = 4;

export interface StatReply {
  facts: BigInt64Array;
  /** The first error other than a missing file. */
  failure: { code: string; message: string } | null;
}

const script = scriptBeside(import.meta.url, "stat-thread");
/** Beyond this, the disk of one volume could keep the lists of others waiting. */
const MAX_WAITING = 8;

type Waiting = (reply: StatReply | Error) => void;

class FileStats {
  #thread: Worker | null = null;
  /** In the order of the requests. */
  #waiting: Waiting[] = [];

  get isBusy(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Null for each that is missing or no regular file. */
  async read(request: StatRequest): Promise<(FileFacts | null)[]> {
    const { facts, failure } = await this.#ask(request);
    if (failure) throw Object.assign(new Error(failure.message), { code: failure.code });
    return request.names.map((_, n) => {
      const [exists, size, mtimeNs, ino] = facts.subarray(n * FACTS_PER_FILE);
      return exists ? factsOf({ size: size!, mtimeNs: mtimeNs!, ino: ino! }) : null;
    });
  }

  #ask(request: StatRequest): Promise<StatReply> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    return new Promise((resolve, reject) => {
      this.#waiting.push((reply) => {
        if (reply instanceof Error) reject(reply);
        else resolve(reply);
      });
      thread.ref();
      thread.postMessage(request);
    });
  }

  #start(): Worker {
    const thread = new Worker(script);
    thread.on("message", (reply: StatReply) => {
      this.#waiting.shift()?.(reply);
      // An idle thread does not keep the process.
      if (this.#waiting.length === 0) thread.unref();
    });
    thread.on("error", (error: Error) => {
      if (this.#thread === thread) this.#thread = null;
      for (const waiting of this.#waiting.splice(0)) waiting(error);
    });
    return thread;
  }
}

/** One thread for all volumes. */
export const fileStats = new FileStats();
