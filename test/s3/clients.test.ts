// Unmodified clients of operators: rclone.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { startS3 } from "./fixture.ts";

const run = promisify(execFile);

/** False if it is not installed, and the test is skipped. */
function hasProgram(t: TestContext, name: string): boolean {
  if (spawnSync(name, ["--version"]).status === 0) return true;
  // In CI a missing client must fail: a skipped test would go unnoticed.
  if (process.env.CI) throw new Error(`${name} is not installed`);
  t.skip(`it needs ${name}`);
  return false;
}

function tree(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-s3-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, "x", "y"), { recursive: true });
  writeFileSync(path.join(folder, "big"), Buffer.alloc(12_000_000, "big"));
  writeFileSync(path.join(folder, "x", "ü # %2F + '.txt"), "odd");
  writeFileSync(path.join(folder, "x", "y", "b"), "b");
  writeFileSync(path.join(folder, "zero"), "");
  return folder;
}

test("rclone syncs, checks, copies back and purges", async (t) => {
  if (!hasProgram(t, "rclone")) return;
  const { s3Url, s3Key, bucket, folder } = await startS3(t);
  const source = tree(t);
  const env = {
    PATH: process.env.PATH,
    HOME: source,
    RCLONE_CONFIG: "/dev/null",
    RCLONE_CONFIG_V_TYPE: "s3",
    RCLONE_CONFIG_V_PROVIDER: "Other",
    RCLONE_CONFIG_V_ENDPOINT: s3Url,
    RCLONE_CONFIG_V_ACCESS_KEY_ID: s3Key.id,
    RCLONE_CONFIG_V_SECRET_ACCESS_KEY: s3Key.secret,
    RCLONE_CONFIG_V_UPLOAD_CUTOFF: "5M",
    RCLONE_CONFIG_V_CHUNK_SIZE: "5M",
  };
  const rclone = (...args: string[]) => run("rclone", ["--stats=0", "-v", ...args], { env });
  const remote = `v:${bucket}/r`;
  await rclone("sync", source, remote);
  for (const file of ["big", "x/ü # %2F + '.txt", "x/y/b", "zero"]) {
    assert.ok(
      readFileSync(path.join(folder, "r", file)).equals(readFileSync(path.join(source, file))),
    );
  }
  await rclone("check", source, remote);
  const again = await rclone("sync", source, remote);
  assert.doesNotMatch(again.stderr, /Copied/, "the second sync moves nothing");
  const back = path.join(source, "..", `${path.basename(source)}-back`);
  t.after(() => rmSync(back, { recursive: true, force: true }));
  await rclone("copy", remote, back);
  await run("diff", ["-r", source, back]);
  await rclone("purge", remote);
  assert.equal((await rclone("lsf", `v:${bucket}`)).stdout, "");
});
