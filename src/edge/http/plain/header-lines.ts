// The header lines of a response, and what they say about its framing. Pure.

const LINE = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+: [\t\x20-\x7e\x80-\xff]*$/;

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
    const line = `${headers[n]}: ${headers[n + 1]}`;
    if (!LINE.test(line)) throw new Error("an invalid header");
    lines += `${line}\r\n`;
    switch (headers[n]!.toLowerCase()) {
      case "date":
        hasDate = true;
        break;
      case "trailer":
        hasTrailer = true;
        break;
      case "content-length":
        framing = "length";
        break;
      case "transfer-encoding":
        framing = /\bchunked\b/i.test(headers[n + 1]!) ? "chunked" : "unknown";
    }
  }
  return { lines, framing, hasDate, hasTrailer };
}
