import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_HEAD_BYTES, readPlainHead } from "./plain-request.ts";

const read = (text: string) => readPlainHead(Buffer.from(text, "latin1"));
const get = (more = "") => `GET /a?b=1 HTTP/1.1\r\nHost: h\r\n${more}\r\n`;
const post = (more: string) => `POST / HTTP/1.1\r\nHost: h\r\n${more}\r\nabc`;

test("a plain head is read as it is written", () => {
  const head = read(get("X-Case:  kept \t\r\nX-Empty:\r\nX-High: \xe9\r\n"))!;
  assert.deepEqual([head.method, head.url, head.bodyBytes], ["GET", "/a?b=1", 0]);
  assert.deepEqual(head.rawHeaders, [
    "Host",
    "h",
    "X-Case",
    "kept",
    "X-Empty",
    "",
    "X-High",
    "\xe9",
  ]);
  assert.deepEqual(
    { ...head.headers },
    { host: "h", "x-case": "kept", "x-empty": "", "x-high": "\xe9" },
  );
});

test("a request ends with its body", () => {
  const text = post("Content-Length: 3\r\n");
  assert.deepEqual([read(text)?.bodyBytes, read(`${text}more`)?.bytes], [3, text.length]);
  assert.equal(read(post(""))?.bodyBytes, 0);
  for (const connection of ["close", "Keep-Alive"]) {
    assert.ok(read(get(`Connection: ${connection}\r\n`)), connection);
  }
});

test("fields that come again are read the same, among however many others", () => {
  const first = read(get("X: 1\r\n"));
  for (let n = 0; n < 100; n++) {
    const filler = `X-Filler: ${n}${"x".repeat(8_000)}\r\n`;
    assert.equal(read(get(filler))?.headers["x-filler"]?.length, 8_000 + String(n).length);
    assert.deepEqual(read(get("X: 1\r\n")), first);
  }
});

const others: Record<string, string> = {
  "a head without an end": "GET / HTTP/1.1\r\nHost: h\r\n",
  "bare line feeds": get().replaceAll("\r\n", "\n"),
  "a line feed in a value": get("X: a\nb\r\n"),
  "a carriage return in a value": get("X: a\rb\r\n"),
  "a NUL": get("X: a\0\r\n"),
  "a folded line": get("X: a\r\n b\r\n"),
  "a space before the colon": get("X : a\r\n"),
  "a line without a colon": get("X\r\n"),
  "an empty name": get(": a\r\n"),
  "an empty line first": `\r\n${get()}`,
  "two spaces": get().replace("GET ", "GET  "),
  "another version": get().replace("1.1", "1.0"),
  "a method in lower case": get().replace("GET", "get"),
  "another method": get().replace("GET", "PROPFIND"),
  CONNECT: "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n",
  "an absolute URL": get().replace("/a", "http://h/a"),
  "an asterisk": get().replace("/a?b=1", "*").replace("GET", "OPTIONS"),
  "a fragment": get().replace("b=1", "b#1"),
  "a URL with a byte above ASCII": get().replace("b=1", "b=\xe9"),
  "no Host": "GET / HTTP/1.1\r\n\r\n",
  "two Hosts": get("host: h\r\n"),
  "a header that occurs twice": get("X: 1\r\nx: 1\r\n"),
  chunks: post("Transfer-Encoding: chunked\r\n"),
  "a length and chunks": post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"),
  "two lengths": post("Content-Length: 3\r\nContent-Length: 3\r\n"),
  "a list of lengths": post("Content-Length: 3, 3\r\n"),
  "a signed length": post("Content-Length: +3\r\n"),
  "a hexadecimal length": post("Content-Length: 0x3\r\n"),
  "an empty length": post("Content-Length:\r\n"),
  "a GET with a length": get("Content-Length: 0\r\n"),
  Expect: post("Content-Length: 3\r\nExpect: 100-continue\r\n"),
  Trailer: post("Content-Length: 3\r\nTrailer: X\r\n"),
  "an upgrade": get("Connection: Upgrade\r\nUpgrade: websocket\r\n"),
  "Upgrade alone": get("Upgrade: h2c\r\n"),
  "a Connection that names a header": get("Connection: close, X\r\n"),
  "too many headers": get(Array.from({ length: 100 }, (_, n) => `X${n}: 1\r\n`).join("")),
  "an HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
};

for (const [name, text] of Object.entries(others)) {
  test(`left to Node: ${name}`, () => assert.equal(read(text), null));
}

test("a head may have as many bytes as the limit", () => {
  const filled = (bytes: number) => get(`X: ${"x".repeat(bytes - get("X: \r\n").length)}\r\n`);
  assert.equal(read(filled(MAX_HEAD_BYTES))?.bytes, MAX_HEAD_BYTES);
  assert.equal(read(filled(MAX_HEAD_BYTES + 1)), null);
});
