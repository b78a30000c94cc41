// A TCP connection to a port of a Kubernetes Pod, through the API server. The Pod's node connects to the port on the
// Pod's loopback interface.

import { Duplex } from "node:stream";
import type { ApiClient } from "./api-client.ts";
import type { Channels } from "./channels.ts";

const PROTOCOL = "v4.channel.k8s.io";
const CHANNEL = { data: 0, error: 1 } as const;

/** The node could not connect to the port. `message` is the node's. */
export class PortRefused extends Error {
  override readonly name = "PortRefused";
}

/**
 * The stream ends with PortRefused if the node cannot connect, which it reports a moment later: there is no message
 * for a connection that succeeds.
 */
export async function forwardPort(client: ApiClient, pod: string, port: number): Promise<Duplex> {
  const { Channels } = await import("./channels.ts");
  const socket = await client.socket(`${pod}/portforward`, { ports: port }, PROTOCOL);
  return new ForwardedPort(new Channels(socket), port);
}

class ForwardedPort extends Duplex {
  readonly #channels: Channels;
  #continue: () => void = () => {};

  constructor(channels: Channels, port: number) {
    super();
    this.#channels = channels;
    void this.#pump(Buffer.of(port & 0xff, port >> 8));
  }

  override _read(): void {
    this.#continue();
  }

  override _write(chunk: Buffer, _: unknown, done: () => void): void {
    this.#channels.write(CHANNEL.data, chunk).then(done);
  }

  /** The protocol cannot end one direction: the peer sees no end before the connection is closed. */
  override _final(done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#channels.close();
    this.#continue();
    done(error);
  }

  /** `preamble` is the port: some versions send it as the first message of each channel. */
  async #pump(preamble: Buffer): Promise<void> {
    const begun = new Set<number>();
    for await (const { channel, bytes } of this.#channels.messages()) {
      const isFirst = !begun.has(channel);
      begun.add(channel);
      if (bytes.length === 0 || (isFirst && bytes.equals(preamble))) continue;
      if (channel === CHANNEL.error)
        return void this.destroy(new PortRefused(bytes.toString("utf8")));
      if (!this.push(bytes)) await new Promise<void>((resolve) => (this.#continue = resolve));
      if (this.destroyed) return;
    }
    this.push(null);
  }
}
