// The network of the simulation: calls of clients and of simulated workers reach the service in this process, without
// sockets. A service that has crashed answers no more.

import type { FastifyInstance } from "fastify";
import type { TransportRequest } from "../../../src/drivers/simulated/worker/transport.ts";

export interface Reply {
  status: number;
  text: string;
  /** The fault that struck the answer, if one did. */
  fault: string | null;
}

export class Router {
  readonly #services = new Map<string, { app: FastifyInstance; cut: AbortController }>();
  calls = 0;
  /** How often each job was delivered to a worker. */
  readonly deliveries = new Map<string, number>();

  constructor() {
    // The simulated driver's workers use fetch.
    globalThis.fetch = (async (url: string, call: TransportRequest) => {
      const { status, text } = await this.send(url, call);
      return { status, text: async () => text };
    }) as unknown as typeof fetch;
  }

  connect(origin: string, app: FastifyInstance): void {
    this.#services.set(origin, { app, cut: new AbortController() });
  }

  /** From now on no call reaches the service, and none gets an answer. */
  cut(origin: string): void {
    this.#services.get(origin)?.cut.abort();
    this.#services.delete(origin);
  }

  #noteDelivery(payload: string): void {
    for (const { id } of [JSON.parse(payload)].flat() as { id: string }[])
      this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
  }

  async send(url: string, { method, headers, body, signal }: TransportRequest): Promise<Reply> {
    this.calls++;
    const { origin, pathname, search } = new URL(url);
    const service = this.#services.get(origin);
    if (!service) throw new TypeError("fetch failed");
    const ended = new AbortController();
    const lost = new Promise<never>((_, reject) => {
      const fail = () => reject(new TypeError("fetch failed"));
      // Removed at the end of the call: adding a listener searches all that the signal has.
      for (const each of [service.cut.signal, signal])
        each.addEventListener("abort", fail, { once: true, signal: ended.signal });
    });
    lost.catch(() => {});
    const answer = service.app.inject({
      method,
      headers,
      url: pathname + search,
      signal,
      ...(body !== undefined && { payload: body }),
    });
    const reply = await Promise.race([answer, lost]).finally(() => ended.abort());
    const { statusCode, payload, headers: shown } = reply;
    const fault = shown["freehold-fault"];
    if (statusCode === 200 && pathname.includes("/job-take")) this.#noteDelivery(payload);
    return { status: statusCode, text: payload, fault: fault === undefined ? null : String(fault) };
  }
}
