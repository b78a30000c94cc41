// Waits until everything that the last instant caused has happened, without a look at the real time.

import { yieldToEventLoop } from "../../../src/base/clock.ts";
import { pauseMs } from "../../fixtures/time/pace.ts";
import { Limit } from "./limit.ts";

/** How many turns of the event loop in a row must find nothing to do. */
const QUIET_TURNS = 3;
const BUSY = new Set(["Immediate", "FSReqCallback", "FSReqPromise", "TCPWRAP"]);
/** How long a server may take to pass a notification on to another replica. */
const PASSED_ON_MS = 2;

export class Settling {
  /** Statements under way at a database of its own process. */
  #pending = 0;
  #begun = 0;
  readonly #hasServer: boolean;

  /** A database server answers when it likes; an embedded one within a turn of the event loop. */
  constructor(hasServer: boolean) {
    this.#hasServer = hasServer;
  }

  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#pending++;
    this.#begun++;
    const end = () => void this.#pending--;
    work.then(end, end);
    return work;
  }

  settle = async (): Promise<void> => {
    const limit = new Limit("the end of all statements and calls");
    try {
      await this.#untilSettled(limit);
    } finally {
      limit.end();
    }
  };

  async #untilSettled(limit: Limit): Promise<void> {
    for (;;) {
      const before = this.#begun;
      await this.#untilQuiet(limit);
      if (!this.#hasServer) return;
      await pauseMs(PASSED_ON_MS);
      if (this.#begun === before && this.#pending === 0) return;
    }
  }

  async #untilQuiet(limit: Limit): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await yieldToEventLoop();
      limit.check();
      if (this.#hasServer && this.#pending > 0) await pauseMs(1);
      quiet = this.#pending > 0 || isBusy() ? 0 : quiet + 1;
    }
  }
}

const isBusy = () => process.getActiveResourcesInfo().some((resource) => BUSY.has(resource));
