// Sends bytes of a file as the body of a response. Two buffers take turns: one is filled while the client's connection takes
// the other. However slow the client is, no more is read than that.

import type { Writable } from "node:stream";
import { BufferPool } from "../../../base/buffer-pool.ts";
import type { ByteRange } from "../../../domain/s3/byte-range.ts";
import type { OpenObject } from "../../../flows/s3/read-object.ts";

/** Each piece costs a trip to the thread pool and one to the socket. */
export const PIECE_BYTES = 524_288;

const pieces = new BufferPool(PIECE_BYTES, 16);

type File = Pick<NonNullable<OpenObject["file"]>, "readInto">;
/** A response of Node. */
type Response = Pick<Writable, "destroyed" | "once" | "off" | "write" | "end">;

/**
 * The head must be written, with the length of the range. Fails if the client disconnects or the file becomes shorter; the
 * connection can then only be closed.
 */
export async function sendFile(
  response: Response,
  file: File,
  { first, last }: ByteRange,
): Promise<void> {
  if (last < first) return void response.end();
  const buffers: Buffer[] = [];
  let position = first;
  const read = async (n: number): Promise<Buffer> => {
    buffers[n % 2] ??= pieces.take();
    const wanted = buffers[n % 2]!.subarray(0, last - position + 1);
    const bytes = await file.readInto(wanted, position);
    if (bytes === 0) throw new Error("the file became shorter while it was sent");
    return wanted.subarray(0, bytes);
  };
  let filled = read(0);
  for (let n = 1; position <= last; n++) {
    const piece = await filled;
    position += piece.length;
    if (position <= last) filled = read(n);
    filled.catch(() => {}); // it is reported once it is awaited
    await write(response, piece);
  }
  for (const buffer of buffers) pieces.release(buffer);
  response.end();
}

/** Resolves once the connection has taken all of the piece, whose memory can then be used again. */
function write(response: Response, piece: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new Error("the client disconnected"));
  if (response.destroyed) fail();
  else {
    response.once("close", fail);
    response.write(piece, (error) => {
      response.off("close", fail);
      if (error) reject(error);
      else resolve();
    });
  }
  return promise;
}
