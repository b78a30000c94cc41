// A request and its response, as the proxy and the balancer need them: Node's own objects, or those of a plain
// connection.

import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

export interface InboundRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** A flat list of names and values. */
  readonly rawHeaders: readonly string[];
  readonly rawTrailers: string[];
  readonly socket: Socket;
  /** What has come of the body. */
  read(): Buffer | null;
  pause(): unknown;
  resume(): unknown;
  on(event: "data", listener: (piece: Buffer) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
}

export interface ResponseWriter {
  readonly req: InboundRequest;
  readonly socket: Socket | null;
  /** Whether the head is decided, even if it is not yet sent. */
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  /** `headers` is a flat list of names and values. Throws if they cannot be sent. */
  writeHead(status: number, message: string | undefined, headers: string[]): unknown;
  writeContinue(): void;
  /** Sends an interim response. */
  writeInformation?(status: number, headers: string[]): void;
  flushHeaders(): void;
  write(piece: Buffer): boolean;
  addTrailers(trailers: [string, string][]): void;
  end(): unknown;
  end(piece: Buffer | string): unknown;
  end(piece: string, encoding: "latin1"): unknown;
  /** Closes the connection. */
  destroy(): unknown;
  /** "close": the response was sent, or its connection closed. */
  on(event: "close" | "drain", listener: () => void): unknown;
  once(event: "close" | "drain", listener: () => void): unknown;
}
