import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnKeys } from "../http/auth/own-credentials.ts";
import { requestHeaders, responseHeaders } from "./headers.ts";
import type { ProxyRequest } from "./proxy-request.ts";

const KEY = `fh_${"k".repeat(40)}`;

const visit: ProxyRequest = {
  podId: "abc",
  port: 80,
  path: "/",
  host: "abc-80.proxy.localhost",
  prefix: null,
  from: "10.0.0.9",
  isTls: false,
  keys: new OwnKeys("a-configured-key"),
};

/** The headers that reach the Pod, by lower-case name. */
function forwarded(raw: string[], changes: Partial<ProxyRequest> = {}): Record<string, string> {
  const flat = requestHeaders(raw, { ...visit, ...changes });
  const passed: Record<string, string> = {};
  for (let n = 0; n < flat.length; n += 2) {
    const name = flat[n]!.toLowerCase();
    passed[name] = passed[name] === undefined ? flat[n + 1]! : `${passed[name]} | ${flat[n + 1]}`;
  }
  return passed;
}

test("headers keep their case and order, also repeated ones", () => {
  const raw = ["HOST", "abc-80.proxy.localhost", "X-a", "1", "x-A", "2", "accept", "*/*"];
  assert.deepEqual(requestHeaders(raw, visit).slice(0, 8), raw);
});

test("hop-by-hop headers and the headers that Connection names are removed", () => {
  const raw = [
    "Connection",
    "keep-alive, X-Hop",
    "X-Hop",
    "1",
    "Keep-Alive",
    "timeout=5",
    "TE",
    "trailers",
    "Upgrade",
    "h2c",
    "HTTP2-Settings",
    "x",
    "Proxy-Authorization",
    "x",
    "Proxy-Connection",
    "x",
  ];
  const { "x-forwarded-for": _for, "x-forwarded-proto": _proto, ...rest } = forwarded(raw);
  assert.deepEqual(rest, {});
});

test("a Connection header cannot remove Host or framing headers", () => {
  const framing = [
    "Host",
    "h",
    "Content-Length",
    "5",
    "Transfer-Encoding",
    "chunked",
    "Trailer",
    "x",
  ];
  const raw = [
    "Connection",
    "host, content-length, transfer-encoding, trailer, cookie",
    ...framing,
  ];
  const { cookie } = forwarded([...raw, "Cookie", "a=1"]);
  assert.equal(cookie, undefined);
  assert.deepEqual(requestHeaders(raw, visit).slice(0, 8), framing);
});

test("a second Host is not passed on", () => {
  assert.equal(forwarded(["Host", "one", "host", "two"]).host, "one");
});

test("the client's address is appended to X-Forwarded-For", () => {
  const raw = ["Host", "h:1", "X-Forwarded-For", "1.2.3.4", "X-Forwarded-Proto", "HTTPS"];
  const lies = ["X-Forwarded-Host", "evil", "X-Forwarded-Prefix", "/evil"];
  assert.partialDeepStrictEqual(forwarded([...raw, ...lies], { prefix: "/abc/80" }), {
    "x-forwarded-for": "1.2.3.4, 10.0.0.9",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "h:1",
    "x-forwarded-prefix": "/abc/80",
  });
});

test("Freehold's cookies and keys are removed, all others pass", () => {
  const rows: [name: string, value: string, passed: string | undefined][] = [
    ["Cookie", "a=1; freehold_session=x; b=2", "a=1; b=2"],
    ["Cookie", "__Host-freehold_session=x", undefined],
    ["Cookie", "__Secure-Freehold_x=1; =freehold_y=2; c=3", "c=3"],
    ["Cookie", "session=freehold_session", "session=freehold_session"],
    ["Authorization", `Bearer ${KEY}`, undefined],
    ["Authorization", KEY, undefined],
    ["Authorization", "Bearer a-configured-key", undefined],
    ["Authorization", `Basic ${btoa(`user:${KEY}`)}`, undefined],
    ["Authorization", `Basic ${btoa("user:secret")}`, `Basic ${btoa("user:secret")}`],
    ["Authorization", "Bearer sk-other", "Bearer sk-other"],
    ["Referer", `http://h/x?a=1&api_key=${KEY}`, "http://h/x?a=1"],
  ];
  for (const [name, value, passed] of rows) {
    assert.equal(forwarded([name, value])[name.toLowerCase()], passed, value);
  }
});

test("keys in a URL are removed in any encoding", () => {
  const rows: [url: string, passed: string][] = [
    [`/graphql?api_key=${KEY}`, "/graphql"],
    [`/x?a=1&api_key=${KEY}&b=2`, "/x?a=1&b=2"],
    [`/x?api%5Fkey=${KEY.replace("_", "%5f")}`, "/x"],
    ["/x?api_key=theirs&b=%zz", "/x?api_key=theirs&b=%zz"],
    ["/x?api_key=a-configured-key", "/x"],
    ["/x?", "/x?"],
    [`/x/${KEY}`, `/x/${KEY}`],
  ];
  for (const [url, passed] of rows) assert.equal(visit.keys.stripKeys(url), passed, url);
});

test("an upgrade has new Connection and Upgrade headers", () => {
  const raw = [
    "Connection",
    "Upgrade, keep-alive",
    "Upgrade",
    "websocket",
    "Sec-WebSocket-Key",
    "k",
  ];
  assert.deepEqual(requestHeaders(raw, visit, "websocket").slice(-4), [
    "Connection",
    "Upgrade",
    "Upgrade",
    "websocket",
  ]);
});

const answered = (raw: string[], prefix: string | null = null) =>
  responseHeaders(raw, { host: prefix ? "127.0.0.1" : visit.host, prefix });

test("a Pod can only set cookies of its own host", () => {
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

test("a Pod cannot send host-wide headers", () => {
  const raw = [
    "Clear-Site-Data",
    '"cookies"',
    "Strict-Transport-Security",
    "max-age=1",
    "Alt-Svc",
    "h2=x",
    "Connection",
    "close",
    "Keep-Alive",
    "timeout=1",
    "Server",
    "theirs",
  ];
  assert.deepEqual(answered(raw), ["Server", "theirs"]);
});

test("chunked framing is left to Node; other transfer codings pass", () => {
  assert.deepEqual(answered(["Transfer-Encoding", "chunked", "Trailer", "X-T"]), [
    "Trailer",
    "X-T",
  ]);
  assert.deepEqual(answered(["Transfer-Encoding", "gzip, chunked"]), [
    "Transfer-Encoding",
    "gzip, chunked",
  ]);
});

test("on the path listener, each Pod is confined to its path and a sandbox", () => {
  const raw = [
    "Location",
    "/login?next=/",
    "Set-Cookie",
    "a=1; Path=/app; Secure",
    "Set-Cookie",
    "b=2",
    "Location",
    "//elsewhere/x",
    "Location",
    "https://elsewhere/",
    "Location",
    "relative",
  ];
  const passed = answered(raw, "/abc/80");
  assert.deepEqual(passed.slice(0, -2), [
    "Location",
    "/abc/80/login?next=/",
    "Set-Cookie",
    "a=1; Secure; Path=/abc/80/app",
    "Set-Cookie",
    "b=2; Path=/abc/80/",
    "Location",
    "//elsewhere/x",
    "Location",
    "https://elsewhere/",
    "Location",
    "relative",
  ]);
  assert.equal(passed.at(-2), "Content-Security-Policy");
  assert.match(passed.at(-1)!, /^sandbox (?!.*allow-same-origin)/);
});
