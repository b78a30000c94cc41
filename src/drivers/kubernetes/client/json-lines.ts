// Parses a stream of JSON texts, one per line, as fast as the reader consumes them. A line has a maximum length, so a
// broken server cannot fill the memory.

import { MIB } from "../../../base/units.ts";

const MAX_LINE_BYTES = 16 * MIB;
const LINE_FEED = 10;

export async function* jsonLines<T>(stream: AsyncIterable<Buffer>): AsyncGenerator<T, void> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...pending, chunk.subarray(from, end)]).toString("utf8");
      pending = [];
      pendingBytes = 0;
      from = end + 1;
      if (line.trim() !== "") yield parse(line) as T;
    }
    const rest = chunk.subarray(from);
    pendingBytes += rest.length;
    if (pendingBytes > MAX_LINE_BYTES) throw new Error("a line of the stream is too long");
    if (rest.length > 0) pending.push(rest);
  }
}

/** The parser's own message quotes the text, which may hold a secret. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error("a line of the stream is not JSON");
  }
}
