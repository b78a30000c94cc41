// A WebSocket of the API server with several byte streams in it: the first byte of a message is its channel. It is
// read no faster than its messages are consumed, and a write waits until it is sent.

import type { Duplex } from "node:stream";
import { createWebSocketStream, type WebSocket } from "ws";

interface Message {
  channel: number;
  bytes: Buffer;
}

/** Messages in memory before reading pauses. */
const MAX_WAITING_MESSAGES = 8;

export class Channels {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#stream = createWebSocketStream(socket, {
      readableObjectMode: true,
      readableHighWaterMark: MAX_WAITING_MESSAGES,
    });
    // The reader sees the end.
    this.#stream.on("error", () => {});
  }

  /** The messages until the connection ends, however it ends. */
  async *messages(): AsyncGenerator<Message, void> {
    try {
      for await (const message of this.#stream) {
        const bytes = message as Buffer;
        if (bytes.length > 0) yield { channel: bytes[0]!, bytes: bytes.subarray(1) };
      }
    } catch {
      // The connection broke, or was closed here.
    }
  }

  /** Resolves once it is sent, or the connection has ended. */
  write(channel: number, bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stream.destroyed || this.#stream.writableEnded) return resolve();
      this.#stream.write(Buffer.concat([Buffer.of(channel), bytes]), () => resolve());
    });
  }

  close(): void {
    this.#stream.destroy();
    this.#socket.terminate();
  }
}
