// Bytes on a socket that are invalid HTTP.

import fc from "fast-check";
import type { Bad, Scene } from "./bad-requests.ts";

export function brokenHttp({ endpointId, key }: Scene): fc.Arbitrary<Bad> {
  const head = `POST /v2/${endpointId}/run HTTP/1.1\r\nhost: x\r\nauthorization: ${key}\r\n`;
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
  const raw = (what: string, text: string) => ({ what, bytes: Buffer.from(text, "latin1") });
  const line = (first: string) => raw(first, `${first}\r\nhost: x\r\n\r\n`);
  const long = "x".repeat(20_000);
  return fc.oneof(
    fc
      .constantFrom("zz\r\n", "-1\r\n", "5;\r\nab", "ffffffffffffffffff\r\n", "3\r\nabcdef\r\n")
      .map((chunk) => raw(`a broken chunk ${JSON.stringify(chunk)}`, chunked + chunk)),
    fc
      .constantFrom("abc", "-1", "1, 2", "1e3", "18446744073709551616")
      .map((length) =>
        raw(`content-length ${length}`, `${head}content-length: ${length}\r\n\r\n{}`),
      ),
    fc
      .constantFrom(
        "GET",
        "GET /nowhere",
        "GET / HTTP/9.9",
        "\u0000",
        "gEt / HTTP/1.1",
        "GET /\u0000 HTTP/1.1",
      )
      .map(line),
    fc
      .constantFrom(`x: ${long}\r\n`, `${long}: x\r\n`, "a b: c\r\n", "x: \u0000\r\n", ": x\r\n")
      .map((header) =>
        raw(`a header ${JSON.stringify(header.slice(0, 20))}`, `${head}${header}\r\n`),
      ),
    fc.constant(line(`GET /v2/${long}/health HTTP/1.1`)),
    fc.constant(
      raw("both lengths", `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n`),
    ),
    fc.constant(
      raw("no host", `GET /v2/${endpointId}/health HTTP/1.1\r\nauthorization: ${key}\r\n\r\n`),
    ),
    fc.constant(
      raw("an expectation", `${head}expect: the-impossible\r\ncontent-length: 2\r\n\r\n{}`),
    ),
    fc.constant(raw("a coding", `${head}transfer-encoding: rot13\r\n\r\n{}`)),
  );
}
