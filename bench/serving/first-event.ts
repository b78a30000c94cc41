// The time until the first event of a stream, one request after another on a kept connection.

import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

export interface StreamTarget {
  origin: string;
  host: string;
  key: string;
}

/** Milliseconds of each of `count` requests. */
export async function firstEvents(
  { origin, host, key }: StreamTarget,
  count: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  for (let n = 0; n < count; n++) {
    const before = performance.now();
    const outgoing = request(`${origin}/stream`, {
      agent,
      headers: { host, authorization: `Bearer ${key}` },
    });
    outgoing.end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    // A balancer that buffers sends the event and the end at once.
    const end = once(response, "end");
    await once(response, "data");
    took.push(performance.now() - before);
    await end;
  }
  agent.destroy();
  return took;
}
