// A listener on an address that its machine does not have yet: it opens with the first container whose start brings
// the address. Once open, a listener stays when the address goes and comes.

import { type Clock, pause } from "../../base/clock.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import { AddressMissing, type Listening } from "./host-network.ts";

/** Between tries, beside those after each change of a container. */
const RETRY_MS = 1_000;

export interface LateListener {
  clock: Clock;
  driver: Pick<DockerDriver, "onChange">;
  port: number;
  /** Rejects with AddressMissing while there is no such address. */
  listen(): Promise<Listening>;
  /** Called if the address came and it cannot listen there. */
  missed(error: unknown): void;
}

/** Resolves at once, with the port at which it will listen. */
export function listenLater(listener: LateListener): Listening {
  const closed = new AbortController();
  const listening = untilListening(listener, closed.signal);
  const close = async () => {
    closed.abort();
    await (await listening)?.close();
  };
  return { port: listener.port, close };
}

async function untilListening(
  { clock, driver, listen, missed }: LateListener,
  closed: AbortSignal,
): Promise<Listening | null> {
  while (!closed.aborted) {
    const change = new AbortController();
    const unsubscribe = driver.onChange(() => change.abort());
    try {
      return await listen();
    } catch (error) {
      if (!(error instanceof AddressMissing)) {
        missed(error);
        return null;
      }
      await pause(clock, RETRY_MS, AbortSignal.any([closed, change.signal]));
    } finally {
      unsubscribe();
    }
  }
  return null;
}
