import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { ConfigErrors } from "../../base/refusal.ts";
import { readConfig } from "../config.ts";

function read(flags: Parameters<typeof readConfig>[0]) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-config-"));
  try {
    return readConfig(flags, {}, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the proxy listens beside the service, by default on loopback", () => {
  const rows: [listen: string | undefined, proxyListen: string | undefined, at: string | null][] = [
    [undefined, undefined, "127.0.0.1:8701"],
    ["[::1]:80", undefined, "::1:81"],
    ["0.0.0.0:9000", undefined, "127.0.0.1:9001"],
    ["127.0.0.1:0", undefined, "127.0.0.1:0"],
    [undefined, "0.0.0.0:80", "0.0.0.0:80"],
    [undefined, "9000", "127.0.0.1:9000"],
    [undefined, "off", null],
  ];
  for (const [listen, proxyListen, at] of rows) {
    const found = read({ ...(listen && { listen }), ...(proxyListen && { proxyListen }) });
    const { host, port } = found.proxyListen ?? {};
    assert.equal(found.proxyListen && `${host}:${port}`, at);
  }
});

test("the proxy's domain is normalized, and may lie beside the public URL", () => {
  assert.equal(read({}).proxyDomain, null);
  assert.equal(read({ proxyDomain: "*.Pods.Example.org" }).proxyDomain, "pods.example.org");
  const publicUrl = "https://cloud.example.org";
  assert.equal(
    read({ publicUrl, proxyDomain: "pods.example.org" }).proxyDomain,
    "pods.example.org",
  );
});

const wrong: [flags: Parameters<typeof readConfig>[0], sentence: RegExp][] = [
  [{ ports: "20000" }, /FREEHOLD_PORTS is "20000"; it takes the first and the last port/],
  [{ ports: "20001-20000" }, /FREEHOLD_PORTS/],
  [{ ports: "0-70000" }, /FREEHOLD_PORTS/],
  [{ proxyListen: "nowhere" }, /FREEHOLD_PROXY_LISTEN is "nowhere"; it takes address:port/],
  [{ proxyDomain: "https://x" }, /FREEHOLD_PROXY_DOMAIN is "https:\/\/x"; it takes a domain/],
  [{ proxyDomain: "10.0.0.1" }, /FREEHOLD_PROXY_DOMAIN/],
  [
    { proxyDomain: "example.org", publicUrl: "https://cloud.example.org" },
    /FREEHOLD_PUBLIC_URL lies in it/,
  ],
];

for (const [flags, sentence] of wrong) {
  test(`${JSON.stringify(flags)} is invalid`, () => {
    assert.throws(
      () => read(flags),
      (error) => {
        return error instanceof ConfigErrors && sentence.test(error.message);
      },
    );
  });
}

test("the range of public ports", () => {
  assert.deepEqual(read({}).ports, { first: 20_000, last: 29_999 });
  assert.deepEqual(read({ ports: "30000-30000" }).ports, { first: 30_000, last: 30_000 });
});

test("the SSH server is off by default unless the service is on loopback", () => {
  const portOf = (flags: Parameters<typeof readConfig>[0]) => read(flags).sshListen?.port ?? null;
  assert.equal(portOf({}), 8_703);
  assert.equal(portOf({ sshListen: "off" }), null);
  assert.equal(portOf({ listen: "0.0.0.0:8700" }), null);
  assert.equal(portOf({ listen: "0.0.0.0:8700", sshListen: "0.0.0.0:2222" }), 2_222);
});
