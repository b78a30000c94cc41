// Tests of the derived host key, against OpenSSH's own reading of it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { sshHostKey } from "./ssh-host-key.ts";

const hasOpenSsh = spawnSync("ssh-keygen", ["-?"]).error === undefined;

test("OpenSSH reads the key, and sees the same fingerprint", {
  skip: !hasOpenSsh && "no ssh-keygen",
}, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-host-key-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "key");
  for (const digit of "0a1f") {
    const { privateKey, fingerprint } = sshHostKey(digit.repeat(64));
    writeFileSync(file, privateKey, { mode: 0o600 });
    const { stdout, stderr } = spawnSync("ssh-keygen", ["-l", "-f", file], { encoding: "utf8" });
    assert.equal(stdout.split(" ")[1], fingerprint, stderr);
  }
});

test("each installation has a key of its own, which stays the same", () => {
  const [one, same, other] = ["1", "1", "2"].map((digit) => sshHostKey(digit.repeat(64)));
  assert.deepEqual(one, same);
  assert.notEqual(one!.fingerprint, other!.fingerprint);
});
