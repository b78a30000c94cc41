// Tests of reading responses: whole, in pieces of any size, and wrong ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ResponseReader } from "./response-reader.ts";

/** What a handler gets, the body in one text. */
interface Heard {
  interim: number[];
  head: string[] | null;
  body: string;
  end: "complete" | "closed" | "unsupported" | null;
  trailers: readonly string[];
  leavesOpen: boolean;
  /** The bytes that are left to another client. */
  begun?: string;
}

/** `ends`: the server then ends the connection. */
function readAll(pieces: readonly string[], method = "GET", ends = false): Heard {
  const heard: Heard = {
    interim: [],
    head: null,
    body: "",
    end: null,
    trailers: [],
    leavesOpen: false,
  };
  const reader = new ResponseReader(method, {
    onInterim: ({ status }) => heard.interim.push(status),
    onHead({ status, message, rawHeaders }) {
      heard.head = [String(status), message, ...rawHeaders];
    },
    onData(piece) {
      heard.body += piece.toString("latin1");
    },
    onEnd(piece, trailers) {
      heard.body += piece.toString("latin1");
      Object.assign(heard, { end: "complete", trailers });
    },
    onFail() {
      heard.end = "closed";
    },
    onUnsupported(begun) {
      Object.assign(heard, { end: "unsupported", begun: begun.toString("latin1") });
    },
  });
  for (const piece of pieces) if (!reader.isOver) reader.read(Buffer.from(piece, "latin1"));
  if (ends) reader.end(true);
  heard.leavesOpen = reader.leavesOpen;
  return heard;
}

const OK = "HTTP/1.1 200 OK\r\n";

const complete: [name: string, text: string, expected: Partial<Heard>][] = [
  ["a length", `${OK}Content-Length: 3\r\n\r\nabc`, { body: "abc", leavesOpen: true }],
  ["no body", `${OK}Content-Length: 0\r\n\r\n`, { body: "", leavesOpen: true }],
  [
    "blanks around values, and bytes above ASCII",
    `HTTP/1.1 200 Très bien\r\nX-A:\t a b \t\r\nX-B:\r\ncontent-length:0\r\n\r\n`,
    { head: ["200", "Très bien", "X-A", "a b", "X-B", "", "content-length", "0"] },
  ],
  ["no reason", "HTTP/1.1 204 \r\n\r\n", { head: ["204", ""], leavesOpen: true }],
  ["no reason and no blank", "HTTP/1.1 304\r\nContent-Length: 9\r\n\r\n", { body: "" }],
  [
    "chunks with extensions and a trailer",
    `${OK}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n`,
    { body: "abc0123456789", trailers: ["X-Sum", "1"], leavesOpen: true },
  ],
  [
    "interim responses",
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 1\r\n\r\na`,
    { interim: [100, 103], body: "a", leavesOpen: true },
  ],
  [
    "a server that closes",
    `${OK}Connection: close\r\nContent-Length: 1\r\n\r\na`,
    { body: "a", leavesOpen: false },
  ],
  [
    "a server that keeps connections briefly",
    `${OK}Keep-Alive: timeout=1\r\nContent-Length: 1\r\n\r\na`,
    { body: "a", leavesOpen: false },
  ],
  [
    "an old version",
    "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
    { body: "a", leavesOpen: false },
  ],
];

for (const [name, text, expected] of complete) {
  test(`a response with ${name} is read in pieces of any size`, () => {
    const whole = readAll([text]);
    assert.partialDeepStrictEqual(whole, { end: "complete", ...expected });
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length })), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, n) => text.slice(at[n], end));
        assert.deepEqual(readAll(pieces.filter((piece) => piece !== "")), whole);
      }),
    );
    assert.deepEqual(readAll([...text]), whole);
  });
}

test("the answer to HEAD has no body", () => {
  const { end, leavesOpen } = readAll([`${OK}Content-Length: 9\r\n\r\n`], "HEAD");
  assert.deepEqual([end, leavesOpen], ["complete", true]);
});

test("bytes after a response are not part of it, and the connection is not used again", () => {
  const excess = `${OK}Content-Length: 9\r\n\r\n`;
  for (const [text, body] of [
    [`${OK}Content-Length: 2\r\n\r\nab${excess}`, "ab"],
    [`${OK}Content-Length: 0\r\n\r\n${excess}`, ""],
    [`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n${excess}`, "a"],
    [`HTTP/1.1 204 No Content\r\nContent-Length: 1\r\n\r\na`, ""],
  ] as const) {
    assert.partialDeepStrictEqual(readAll([text]), { end: "complete", body, leavesOpen: false });
  }
});

test("a body without a length ends with the connection, if the server ends it", () => {
  const pieces = [`${OK}X: y\r\n\r\na`, "b"];
  assert.partialDeepStrictEqual(readAll(pieces), { body: "ab", end: null });
  const ended = readAll(pieces, "GET", true);
  assert.partialDeepStrictEqual(ended, { body: "ab", end: "complete", leavesOpen: false });
});

const unsupported: [name: string, text: string][] = [
  ["another protocol", "SSH-2.0-OpenSSH\r\n"],
  ["another version", "HTTP/2.0 200 OK\r\n\r\n"],
  ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
  ["two lengths", `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
  ["a list of lengths", `${OK}Content-Length: 1, 1\r\n\r\na`],
  ["a length with a sign", `${OK}Content-Length: +1\r\n\r\na`],
  ["a length in hexadecimal", `${OK}Content-Length: 0x1\r\n\r\na`],
  ["an empty length", `${OK}Content-Length:\r\n\r\na`],
  ["a length and chunks", `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["another coding", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ["two codings", `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["chunks in an old version", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["a blank before a colon", `${OK}Content-Length : 1\r\n\r\na`],
  ["a folded line", `${OK}X: a\r\n b\r\n\r\n`],
  ["a line without a colon", `${OK}X\r\n\r\n`],
  ["a bare line feed", `${OK}X: a\nContent-Length: 1\r\n\r\na`],
  ["a bare carriage return", `${OK}X: a\rContent-Length: 1\r\n\r\na`],
  ["a zero byte", `${OK}X: a\0b\r\n\r\n`],
  ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"],
  ["an endless head", `${OK}X: ${"x".repeat(20_000)}`],
];

for (const [name, text] of unsupported) {
  test(`a response with ${name} is left to another client`, () => {
    for (const pieces of [[text], [...text]]) {
      const { head, end, begun } = readAll(pieces);
      assert.deepEqual([head, end], [null, "unsupported"]);
      assert.ok(begun !== "" && text.startsWith(begun!));
    }
  });
}

const broken: [name: string, body: string][] = [
  ["a size that is no number", "x\r\n"],
  ["a negative size", "-1\r\na\r\n"],
  ["a size with a prefix", "0x1\r\na\r\n"],
  ["a huge size", "fffffffffffff\r\n"],
  ["a size without a carriage return", "1\na\r\n"],
  ["data that is longer than its size", "1\r\nab\r\n0\r\n\r\n"],
  ["an endless extension", `1;${"x".repeat(10_000)}`],
  ["a trailer without a colon", "0\r\nx\r\n\r\n"],
  ["endless trailers", `0\r\n${"X: y\r\n".repeat(10_000)}\r\n`],
];

for (const [name, body] of broken) {
  test(`chunks with ${name} end the response`, () => {
    const text = `${OK}Transfer-Encoding: chunked\r\n\r\n${body}`;
    for (const pieces of [[text], [...text]]) {
      assert.partialDeepStrictEqual(readAll(pieces), { end: "closed", leavesOpen: false });
    }
  });
}

test("a connection that ends too early fails the response", () => {
  const early: [text: string, end: Heard["end"]][] = [
    ["", "closed"],
    ["HTTP/1.1 2", "unsupported"],
    [`${OK}Content-Length: 2\r\n\r\na`, "closed"],
    [`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`, "closed"],
  ];
  for (const [text, end] of early)
    assert.equal(readAll([text].filter(Boolean), "GET", true).end, end);
});
