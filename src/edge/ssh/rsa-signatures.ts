// RSA keys by RFC 8332, which ssh2 1.17.0 serves in part: it answers a question about a key with `ssh-rsa` whatever algorithm
// the client asked for, lacks a comma in its list of algorithms, and takes signatures with SHA-1.

import type { Connection, PublicKeyAuthContext } from "ssh2";

const ALGORITHMS = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
].join(",");

/** False for algorithms that sign with SHA-1. */
export const isStrong = ({ key, hashAlgo }: PublicKeyAuthContext) =>
  key.algo !== "ssh-dss" && (key.algo !== "ssh-rsa" || hashAlgo !== undefined);

/** Lets the answer name the algorithm that was asked for; clients compare them. */
export function nameAlgorithm({ key, hashAlgo }: PublicKeyAuthContext): void {
  if (key.algo === "ssh-rsa" && hashAlgo) key.algo = `rsa-sha2-${hashAlgo.slice("sha".length)}`;
}

/** What writes the packets of a connection; the key exchange ends with a new one. */
interface PacketWriter {
  allocStart: number;
  alloc(bytes: number): Buffer;
  finalize(packet: Buffer, force?: boolean): Buffer;
}

const EXT_INFO = 7;
const NAME = "server-sig-algs";

/** Replaces the list of algorithms in the message that RFC 8308 sends after the key exchange. */
export function listAlgorithms(client: Connection): void {
  const { _protocol: protocol } = client as unknown as {
    _protocol?: { _packetRW?: { write: PacketWriter } };
  };
  const packets = protocol?._packetRW;
  if (!packets) return;
  let writer = packets.write;
  Object.defineProperty(packets, "write", {
    get: () => writer,
    set(next: PacketWriter) {
      writer = next;
      correctList(next);
    },
  });
}

function correctList(writer: PacketWriter): void {
  const finalize = writer.finalize.bind(writer);
  writer.finalize = (packet, force) => {
    const isList =
      packet[writer.allocStart] === EXT_INFO && packet.includes(NAME, writer.allocStart);
    if (!isList) return finalize(packet, force);
    writer.finalize = finalize;
    const message = algorithmsMessage();
    const corrected = writer.alloc(message.length);
    corrected.set(message, writer.allocStart);
    return finalize(corrected, force);
  };
}

function algorithmsMessage(): Buffer {
  const uint32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 255]);
  const text = (value: string) => [uint32(value.length), Buffer.from(value)];
  return Buffer.concat([Buffer.from([EXT_INFO]), uint32(1), ...text(NAME), ...text(ALGORITHMS)]);
}
