// TCP connections whose bytes can be read into the reader's own buffers. For each read of an ordinary socket, Node
// allocates a buffer, and collecting them costs a proxy more than anything else that it does with a large body.

import { connect, type Socket, type TcpNetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";

export interface DirectReader {
  /** The buffer of the next read. */
  buffer(): Buffer;
  /** Takes a piece of that buffer. False pauses the socket until its `resume`. */
  take(piece: Buffer): boolean;
}

const readers = new WeakMap<Duplex, { current: DirectReader | null }>();

/** All sockets without a reader share it, because their bytes are copied at once. */
const shared = Buffer.allocUnsafeSlow(65_536);

/** A socket that is an ordinary stream until `readDirectly` is called. */
export function connectForDirectReads(options: TcpNetConnectOpts): Socket {
  const reader: { current: DirectReader | null } = { current: null };
  const buffer = () => reader.current?.buffer() ?? shared;
  const callback = (length: number, read: Uint8Array): boolean => {
    const piece = (read as Buffer).subarray(0, length);
    if (reader.current === null) return socket.push(Buffer.from(piece));
    return reader.current.take(read === shared ? Buffer.from(piece) : piece);
  };
  const socket: Socket = connect({ ...options, onread: { buffer, callback } });
  readers.set(socket, reader);
  return socket;
}

/**
 * From now on, the reader gets the stream's bytes instead of its `data` events; without a reader the stream is an
 * ordinary one again. False if the stream cannot do so.
 */
export function readDirectly(stream: Duplex, reader: DirectReader | null): boolean {
  const known = readers.get(stream);
  if (known) known.current = reader;
  return known !== undefined;
}
