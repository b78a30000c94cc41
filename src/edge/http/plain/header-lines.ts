// The header lines of a response, and what they say about its framing. Pure.

import { isNamed } from "./header-fields.ts";

const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** "none" if the headers do not say where the body ends, and "unknown" if they say it in an unknown coding. */
export type Framing = "none" | "length" | "chunked" | "unknown";

export interface HeaderLines {
  lines: string;
  framing: Framing;
  hasDate: boolean;
  hasTrailer: boolean;
}

/** Throws if a header cannot be sent. */
export function headerLines(headers: readonly string[]): HeaderLines {
  let lines = "";
  let framing: Framing = "none";
  let hasDate = false;
  let hasTrailer = false;
  for (let n = 0; n < headers.length; n += 2) {
    const name = headers[n]!;
    const value = headers[n + 1]!;
    if (!NAME.test(name) || !VALUE.test(value)) throw new Error("an invalid header");
    lines += `${name}: ${value}\r\n`;
    if (isNamed(name, "date")) hasDate = true;
    else if (isNamed(name, "trailer")) hasTrailer = true;
    else if (isNamed(name, "content-length")) framing = "length";
    else if (isNamed(name, "transfer-encoding")) {
      framing = /\bchunked\b/i.test(value) ? "chunked" : "unknown";
    }
  }
  return { lines, framing, hasDate, hasTrailer };
}
