// What the main thread and a listener thread agree on besides frames.

import type { AddressInfo } from "node:net";

/**
 * To a thread: listen at an address, stop listening, or answer once every connection is closed. A `listener` is a number that
 * the main thread chose.
 */
export type ListenerCommand =
  | { listen: number; host: string; port: number; reusePort: boolean }
  | { stop: number }
  | { finish: number };

/** A thread's answer to a command. */
export type ListenerReply =
  | { listener: number; address: AddressInfo }
  | { listener: number; error: { code: string | undefined; message: string } }
  | { listener: number; isDone: true };

/** The bytes of a frame `opened`, as JSON. */
export interface OpenedConnection {
  listener: number;
  remoteAddress: string | undefined;
  remotePort: number | undefined;
}

/** The main thread reports each time that it has taken this many bytes of a connection. */
export const REPORT_BYTES = 131_072;
/** A thread stops reading a connection that is this many bytes ahead. */
export const MAX_AHEAD_BYTES = 262_144;
