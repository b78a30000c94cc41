// Tests of name constraints: what is permitted, as OpenSSL sees it too.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { createRoot, generateKeys, issuerOf } from "./certificate-authority.ts";
import { type Permitted, permits } from "./name-constraints.ts";

const NO_OPENSSL = spawnSync("openssl", ["version"]).status !== 0 && "it needs openssl";
const permitted: Permitted = {
  names: ["gpu.lan", "localhost"],
  ranges: ["10.0.0.0/8", "172.16.0.0/12", "fc00::/7", "203.0.113.7/32"],
};

const inside = ["gpu.lan", "a.gpu.lan", "10.1.2.3", "172.31.0.1", "fd00::1", "203.0.113.7"];
const outside = ["example.org", "xgpu.lan", "lan", "172.32.0.1", "203.0.113.8", "2001:db8::1"];

test("names and those below them, and addresses in ranges are permitted", () => {
  for (const name of inside) assert.ok(permits(permitted, name), name);
  for (const name of outside) assert.ok(!permits(permitted, name), name);
});

test("openssl draws the same lines", { skip: NO_OPENSSL }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-constraints-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const life = { now: Date.now(), endsAt: Date.now() + 3_600_000 };
  const root = createRoot("test", permitted, life);
  const [issue, keys] = [issuerOf(root), generateKeys()];
  const authority = path.join(folder, "root.pem");
  writeFileSync(authority, root.certificate);
  const isAccepted = (name: string) => {
    const args = ["verify", "-x509_strict", "-CAfile", authority];
    return spawnSync("openssl", args, { input: issue([name], keys, life) }).status === 0;
  };
  for (const name of inside) assert.ok(isAccepted(name), name);
  for (const name of outside) assert.ok(!isAccepted(name), name);
});
