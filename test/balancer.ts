// A load balancer as one stands before replicas: each request goes to the next of them. It holds no
// request for longer, buffers nothing, repeats nothing, and lets go what its client lets go.

import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Balancer {
  origin: string;
  close(): Promise<void>;
}

/** `targets` may change while it runs; one that cannot be reached is 502. */
export async function startBalancer(targets: () => string[]): Promise<Balancer> {
  let next = 0;
  const server = http.createServer((request, response) => {
    const all = targets();
    const target = new URL(all[next++ % all.length]!);
    const { method, headers, url: path } = request;
    const options = {
      agent: false,
      host: target.hostname,
      port: target.port,
      method,
      headers,
      path,
    };
    const passed = http.request(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
      answer.on("close", () => answer.complete || response.destroy());
    });
    passed.on("error", () => {
      // What is not read of this request would stand before the next one on its connection.
      request.unpipe().resume();
      // A refusal that came before the whole body was sent may still be read.
      setImmediate(() => {
        if (!response.headersSent) response.writeHead(502).end();
        else if (!response.writableEnded) response.destroy();
      });
    });
    response.on("close", () => response.writableFinished || passed.destroy());
    request.pipe(passed);
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
