// The server name in the first bytes of a TLS connection (RFC 8446, 4.1.2; RFC 6066, 3). Pure.

/** A client hello with the largest key shares takes a few thousand bytes. */
const MAX_HELLO_BYTES = 64 * 1024;

/** A position in bytes. Reads past the end give NaN, which no length or type equals. */
class Reader {
  at: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  number(size: 1 | 2 | 3): number {
    const from = this.at;
    this.at += size;
    return this.at <= this.#bytes.length ? this.#bytes.readUIntBE(from, size) : Number.NaN;
  }

  skip(size: number): void {
    this.at += size;
  }

  text(size: number): string {
    return this.#bytes.toString("latin1", this.at, this.at + size);
  }
}

/**
 * Returns the name, null if there is none or the bytes are no TLS, and "incomplete" if more bytes are needed to tell.
 */
export function helloName(bytes: Buffer): string | null | "incomplete" {
  if (bytes.length === 0) return "incomplete";
  if (bytes[0] !== 22 || (bytes.length > 1 && bytes[1] !== 3)) return null;
  const hello = handshakeOf(bytes);
  if (hello === "incomplete") return bytes.length < MAX_HELLO_BYTES ? "incomplete" : null;
  return hello === null ? null : nameOf(hello);
}

/** The body of the client hello, which may be split over several records. */
function handshakeOf(bytes: Buffer): Buffer | null | "incomplete" {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let total = 0; ; ) {
    if (bytes.length < at + 5) return "incomplete";
    if (bytes[at] !== 22) return null;
    const length = bytes.readUInt16BE(at + 3);
    if (bytes.length < at + 5 + length) return "incomplete";
    pieces.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    total += length;
    const handshake = Buffer.concat(pieces);
    if (total < 4) continue;
    if (handshake[0] !== 1) return null;
    const size = handshake.readUIntBE(1, 3);
    if (total >= 4 + size) return handshake.subarray(4, 4 + size);
  }
}

function nameOf(hello: Buffer): string | null {
  const reader = new Reader(hello);
  reader.skip(2 + 32);
  reader.skip(reader.number(1)); // session
  reader.skip(reader.number(2)); // cipher suites
  reader.skip(reader.number(1)); // compression methods
  const end = reader.number(2) + reader.at;
  while (reader.at < end) {
    const type = reader.number(2);
    const length = reader.number(2);
    if (Number.isNaN(length)) return null;
    if (type !== 0) {
      reader.skip(length);
      continue;
    }
    reader.skip(3); // the length of the list, and the type of its only entry
    return reader.text(reader.number(2));
  }
  return null;
}
