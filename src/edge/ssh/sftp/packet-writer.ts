// Replies as packets.

import type { DirectoryEntry, FileAttributes } from "../../../flows/ssh/files/attributes.ts";
import { longNameOf } from "./long-name.ts";
import { ATTRIBUTE, EXTENSIONS, MAX_DATA_BYTES, MAX_PACKET_BYTES, REPLY, VERSION } from "./wire.ts";

export const versionPacket = () =>
  packet(
    REPLY.version,
    uint32(VERSION),
    ...Object.entries(EXTENSIONS)
      .flat()
      .map((text) => string(text)),
  );

export const statusPacket = (id: number, code: number, message: string) =>
  packet(REPLY.status, uint32(id), uint32(code), string(message), string(""));

export const handlePacket = (id: number, handle: string) =>
  packet(REPLY.handle, uint32(id), string(handle));

export const dataPacket = (id: number, bytes: Buffer) =>
  packet(REPLY.data, uint32(id), uint32(bytes.length), bytes);

export const attributesPacket = (id: number, attributes: FileAttributes) =>
  packet(REPLY.attrs, uint32(id), attributesOf(attributes));

/** One name without attributes. */
export const pathPacket = (id: number, path: string) =>
  packet(REPLY.name, uint32(id), uint32(1), string(path), string(path), uint32(0));

export function entriesPacket(id: number, entries: DirectoryEntry[]): Buffer {
  const names = entries.flatMap((entry) => [
    string(entry.name),
    string(longNameOf(entry)),
    attributesOf(entry.attributes),
  ]);
  return packet(REPLY.name, uint32(id), uint32(entries.length), ...names);
}

/** The answer to limits@openssh.com. */
export const limitsPacket = (id: number, handles: number) =>
  packet(
    REPLY.extended,
    uint32(id),
    ...[MAX_PACKET_BYTES, MAX_DATA_BYTES, MAX_DATA_BYTES, handles].map(uint64),
  );

function packet(type: number, ...fields: Buffer[]): Buffer {
  const length = fields.reduce((sum, field) => sum + field.length, 1);
  return Buffer.concat([uint32(length), Buffer.of(type), ...fields]);
}

function attributesOf(attributes: FileAttributes): Buffer {
  const { size, uid, gid, mode, accessedAt, modifiedAt } = attributes;
  const flags = ATTRIBUTE.size | ATTRIBUTE.owner | ATTRIBUTE.mode | ATTRIBUTE.times;
  const rest = [uid, gid, mode, accessedAt, modifiedAt].map(uint32);
  return Buffer.concat([uint32(flags), uint64(size), ...rest]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

const string = (bytes: string) =>
  Buffer.concat([uint32(bytes.length), Buffer.from(bytes, "latin1")]);
