// Reads packets from a channel, and the fields of a packet. A string is read as bytes ("latin1"): names need not be
// UTF-8.

import type { AttributeChanges } from "../../../flows/ssh/files/attributes.ts";
import { ATTRIBUTE, MAX_PACKET_BYTES } from "./wire.ts";

/** The client does not speak SFTP. */
export class MalformedPacket extends Error {
  override readonly name = "MalformedPacket";
}

/** The packets of a stream, without their lengths. Nothing is read while one is in use. */
export async function* packetsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = 4;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= needed) {
      const all: Buffer = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      chunks = [all];
      const length = all.readUInt32BE(0);
      if (length === 0 || length > MAX_PACKET_BYTES)
        throw new MalformedPacket("The client does not speak SFTP.");
      needed = 4 + length;
      if (size < needed) break;
      yield all.subarray(4, needed);
      chunks = [all.subarray(needed)];
      size -= needed;
      needed = 4;
    }
  }
}

export class PacketFields {
  readonly #packet: Buffer;
  #at = 0;

  constructor(packet: Buffer) {
    this.#packet = packet;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  uint32(): number {
    return this.#take(4).readUInt32BE();
  }

  /** An offset or a size; beyond 2 ** 53 there are no files. */
  uint64(): number {
    const value = Number(this.#take(8).readBigUInt64BE());
    if (!Number.isSafeInteger(value)) throw new MalformedPacket("The client does not speak SFTP.");
    return value;
  }

  bytes(): Buffer {
    return this.#take(this.uint32());
  }

  string(): string {
    return this.bytes().toString("latin1");
  }

  attributes(): AttributeChanges {
    const flags = this.uint32();
    const changes: AttributeChanges = {};
    if (flags & ATTRIBUTE.size) changes.size = this.uint64();
    if (flags & ATTRIBUTE.owner) changes.owner = { uid: this.uint32(), gid: this.uint32() };
    if (flags & ATTRIBUTE.mode) changes.mode = this.uint32();
    if (flags & ATTRIBUTE.times) {
      changes.times = { accessedAt: this.uint32(), modifiedAt: this.uint32() };
    }
    return changes;
  }

  #take(length: number): Buffer {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#packet.length)
      throw new MalformedPacket("The client does not speak SFTP.");
    return this.#packet.subarray(from, this.#at);
  }
}
