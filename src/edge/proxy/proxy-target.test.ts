import assert from "node:assert/strict";
import { test } from "node:test";
import { hostName, isWithin, targetOfName, targetOfPath } from "./proxy-target.ts";

const domain = "proxy.localhost";

const names: [host: string, target: ReturnType<typeof targetOfName>][] = [
  ["abc-8888.proxy.localhost:8700", { podId: "abc", port: 8_888 }],
  ["ABC-8888.Proxy.LocalHost", { podId: "abc", port: 8_888 }],
  ["abc-8888.proxy.localhost.", { podId: "abc", port: 8_888 }],
  ["a_b-c-1.proxy.localhost:80", { podId: "a_b-c", port: 1 }],
  ["abc-65535.proxy.localhost", { podId: "abc", port: 65_535 }],
  ["abc-65536.proxy.localhost", null],
  ["abc-0.proxy.localhost", null],
  ["abc-08.proxy.localhost", null],
  ["abc.proxy.localhost", null],
  ["-80.proxy.localhost", null],
  ["x.abc-80.proxy.localhost", null],
  ["abc-80.localhost", null],
  ["abc-80.proxy.localhost.example.org", null],
];

for (const [host, target] of names) {
  test(`${host} targets ${target ? `${target.podId} ${target.port}` : "no Pod"}`, () => {
    assert.deepEqual(targetOfName(hostName(host), domain), target);
  });
}

test("only names in the domain belong to the proxy", () => {
  const yes = ["proxy.localhost", "x.proxy.localhost:1", "a.b.proxy.localhost", "PROXY.localhost."];
  const no = ["localhost:8700", "127.0.0.1:8700", "[::1]:8700", "notproxy.localhost", ""];
  for (const host of yes) assert.ok(isWithin(hostName(host), domain), host);
  for (const host of no) assert.ok(!isWithin(hostName(host), domain), host);
});

const paths: [url: string, target: ReturnType<typeof targetOfPath>][] = [
  ["/abc/8888/", { podId: "abc", port: 8_888, prefix: "/abc/8888", rest: "/" }],
  ["/abc/8888/a//b?c=/d", { podId: "abc", port: 8_888, prefix: "/abc/8888", rest: "/a//b?c=/d" }],
  ["/abc/8888", { podId: "abc", port: 8_888, prefix: "/abc/8888", rest: null }],
  ["/abc/8888?x", { podId: "abc", port: 8_888, prefix: "/abc/8888", rest: null }],
  ["/abc/88888/", null],
  ["/abc/88x/", null],
  ["/abc/", null],
  ["//8888/", null],
  ["/a.b/80/", null],
  ["*", null],
];

for (const [url, target] of paths) {
  test(`${url} targets ${target ? `${target.podId} with ${target.rest}` : "no Pod"}`, () => {
    assert.deepEqual(targetOfPath(url), target);
  });
}
