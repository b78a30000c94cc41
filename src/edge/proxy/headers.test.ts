import assert from "node:assert/strict";
import { test } from "node:test";
import { requestHeaders, responseHeaders } from "./headers.ts";
import { OwnKeys } from "./own-credentials.ts";
import type { Visit } from "./visit.ts";

const KEY = `fh_${"k".repeat(40)}`;

const visit: Visit = {
  podId: "abc",
  port: 80,
  path: "/",
  host: "abc-80.proxy.localhost",
  prefix: null,
  from: "10.0.0.9",
  keys: new OwnKeys("a-key-somebody-chose"),
};

/** Without what every request is given. */
function asked(raw: string[], changes: Partial<Visit> = {}): Record<string, string> {
  const flat = requestHeaders(raw, { ...visit, ...changes });
  const passed: Record<string, string> = {};
  for (let n = 0; n < flat.length; n += 2) {
    const name = flat[n]!.toLowerCase();
    passed[name] = passed[name] === undefined ? flat[n + 1]! : `${passed[name]} | ${flat[n + 1]}`;
  }
  return passed;
}

test("headers keep their spelling and their order, also where they come twice", () => {
  const raw = ["HOST", "abc-80.proxy.localhost", "X-a", "1", "x-A", "2", "accept", "*/*"];
  assert.deepEqual(requestHeaders(raw, visit).slice(0, 8), raw);
});

test("what is of one hop ends here, and what Connection names", () => {
  const raw = [
    ...[
      "Connection",
      "keep-alive, X-Hop",
      "X-Hop",
      "1",
      "Keep-Alive",
      "timeout=5",
      "TE",
      "trailers",
    ],
    ...[
      "Upgrade",
      "h2c",
      "HTTP2-Settings",
      "x",
      "Proxy-Authorization",
      "x",
      "Proxy-Connection",
      "x",
    ],
  ];
  const { "x-forwarded-for": _for, "x-forwarded-proto": _proto, ...rest } = asked(raw);
  assert.deepEqual(rest, {});
});

test("no Connection header takes away how a message is framed, or who is asked", () => {
  const kept = ["Host", "h", "Content-Length", "5", "Transfer-Encoding", "chunked", "Trailer", "x"];
  const raw = ["Connection", "host, content-length, transfer-encoding, trailer, cookie", ...kept];
  const { cookie } = asked([...raw, "Cookie", "a=1"]);
  assert.equal(cookie, undefined);
  assert.deepEqual(requestHeaders(raw, visit).slice(0, 8), kept);
});

test("a second Host is not passed on", () => {
  assert.equal(asked(["Host", "one", "host", "two"]).host, "one");
});

test("where it came from is added to what was said of it", () => {
  const raw = ["Host", "h:1", "X-Forwarded-For", "1.2.3.4", "X-Forwarded-Proto", "HTTPS"];
  const lies = ["X-Forwarded-Host", "evil", "X-Forwarded-Prefix", "/evil"];
  assert.partialDeepStrictEqual(asked([...raw, ...lies], { prefix: "/abc/80" }), {
    "x-forwarded-for": "1.2.3.4, 10.0.0.9",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "h:1",
    "x-forwarded-prefix": "/abc/80",
  });
});

test("our cookies and keys end here, everybody else's go on", () => {
  const rows: [name: string, value: string, passed: string | undefined][] = [
    ["Cookie", "a=1; freehold_session=x; b=2", "a=1; b=2"],
    ["Cookie", "__Host-freehold_session=x", undefined],
    ["Cookie", "__Secure-Freehold_x=1; =freehold_y=2; c=3", "c=3"],
    ["Cookie", "session=freehold_session", "session=freehold_session"],
    ["Authorization", `Bearer ${KEY}`, undefined],
    ["Authorization", KEY, undefined],
    ["Authorization", "Bearer a-key-somebody-chose", undefined],
    ["Authorization", `Basic ${btoa(`user:${KEY}`)}`, undefined],
    ["Authorization", `Basic ${btoa("user:secret")}`, `Basic ${btoa("user:secret")}`],
    ["Authorization", "Bearer sk-other", "Bearer sk-other"],
    ["Referer", `http://h/x?a=1&api_key=${KEY}`, "http://h/x?a=1"],
  ];
  for (const [name, value, passed] of rows) {
    assert.equal(asked([name, value])[name.toLowerCase()], passed, value);
  }
});

test("keys in an address end here, however they are written", () => {
  const rows: [url: string, passed: string][] = [
    [`/graphql?api_key=${KEY}`, "/graphql"],
    [`/x?a=1&api_key=${KEY}&b=2`, "/x?a=1&b=2"],
    [`/x?api%5Fkey=${KEY.replace("_", "%5f")}`, "/x"],
    ["/x?api_key=theirs&b=%zz", "/x?api_key=theirs&b=%zz"],
    ["/x?api_key=a-key-somebody-chose", "/x"],
    ["/x?", "/x?"],
    [`/x/${KEY}`, `/x/${KEY}`],
  ];
  for (const [url, passed] of rows) assert.equal(visit.keys.withoutIn(url), passed, url);
});

test("an upgrade is asked for anew", () => {
  const raw = [
    "Connection",
    "Upgrade, keep-alive",
    "Upgrade",
    "websocket",
    "Sec-WebSocket-Key",
    "k",
  ];
  assert.deepEqual(requestHeaders(raw, visit, "websocket").slice(-4), [
    ...["Connection", "Upgrade"],
    ...["Upgrade", "websocket"],
  ]);
});

const answered = (raw: string[], prefix: string | null = null) =>
  responseHeaders(raw, { host: prefix ? "127.0.0.1" : visit.host, prefix });

test("a site sets its own cookies and nobody else's", () => {
  const rows: [cookie: string, set: boolean][] = [
    ["a=1; Path=/; HttpOnly", true],
    [`a=1; Domain=${visit.host}`, true],
    [`a=1; domain=.${visit.host.toUpperCase()}`, true],
    ["a=1; Domain=", true],
    ["a=1; Domain=proxy.localhost", false],
    ["a=1; Domain=localhost", false],
    ["a=1; Domain=x; Domain=localhost", false],
    ["a=1; Domain=c-80.proxy.localhost", false],
    ["freehold_session=evil", false],
    ["__Host-freehold_session=evil; Path=/; Secure", false],
    ["=freehold_session=evil", false],
  ];
  for (const [cookie, set] of rows) {
    assert.deepEqual(answered(["Set-Cookie", cookie]), set ? ["Set-Cookie", cookie] : [], cookie);
  }
});

test("a site does not speak for more than itself", () => {
  const raw = [
    ...[
      "Clear-Site-Data",
      '"cookies"',
      "Strict-Transport-Security",
      "max-age=1",
      "Alt-Svc",
      "h2=x",
    ],
    ...["Connection", "close", "Keep-Alive", "timeout=1", "Server", "theirs"],
  ];
  assert.deepEqual(answered(raw), ["Server", "theirs"]);
});

test("Node frames what came in chunks by itself; other codings stay as they are said", () => {
  assert.deepEqual(answered(["Transfer-Encoding", "chunked", "Trailer", "X-T"]), [
    "Trailer",
    "X-T",
  ]);
  assert.deepEqual(answered(["Transfer-Encoding", "gzip, chunked"]), [
    ...["Transfer-Encoding", "gzip, chunked"],
  ]);
});

test("behind one name each site keeps to its path, and to a sandbox", () => {
  const raw = [
    ...["Location", "/login?next=/", "Set-Cookie", "a=1; Path=/app; Secure", "Set-Cookie", "b=2"],
    ...["Location", "//elsewhere/x", "Location", "https://elsewhere/", "Location", "relative"],
  ];
  const passed = answered(raw, "/abc/80");
  assert.deepEqual(passed.slice(0, -2), [
    ...["Location", "/abc/80/login?next=/", "Set-Cookie", "a=1; Secure; Path=/abc/80/app"],
    ...["Set-Cookie", "b=2; Path=/abc/80/", "Location", "//elsewhere/x"],
    ...["Location", "https://elsewhere/", "Location", "relative"],
  ]);
  assert.equal(passed.at(-2), "Content-Security-Policy");
  assert.match(passed.at(-1)!, /^sandbox (?!.*allow-same-origin)/);
});
