// Waits until everything that the last instant caused has happened, without a look at the real time.

import { yieldToEventLoop } from "../../../src/base/clock.ts";

/** How many turns of the event loop in a row must find nothing to do. */
const QUIET_TURNS = 3;
const BUSY = new Set(["Immediate", "FSReqCallback", "FSReqPromise", "TCPWRAP"]);

export class Settling {
  /** Statements under way at a database of its own process. */
  #pending = 0;

  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#pending++;
    const end = () => void this.#pending--;
    work.then(end, end);
    return work;
  }

  settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await yieldToEventLoop();
      quiet = this.#pending > 0 || isBusy() ? 0 : quiet + 1;
    }
  };
}

const isBusy = () => process.getActiveResourcesInfo().some((resource) => BUSY.has(resource));
