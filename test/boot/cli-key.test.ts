// Tests of the command line's own key: it can be revoked, and the next start creates another.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { up } from "../../src/app/boot/up.ts";
import { readConfig } from "../../src/config/config.ts";

test("a revoked key of the command line is replaced at the next start", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-cli-key-"));
  const flags = { listen: "127.0.0.1:0", data: folder, logLevel: "fatal", drivers: "simulated" };
  const start = () => up(readConfig(flags, {}, folder), process.env);

  const first = await start();
  const headers = { authorization: `Bearer ${first.cliKey}` };
  const keys = await fetch(`${first.origin}/v1/keys`, { headers });
  const own = ((await keys.json()) as { id: string; name: string }[]).find(
    ({ name }) => name === "this machine's command line",
  );
  const revocation = await fetch(`${first.origin}/v1/keys/${own!.id}`, {
    method: "DELETE",
    headers,
  });
  assert.equal(revocation.status, 204);
  await first.stop();

  const second = await start();
  t.after(async () => {
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  assert.notEqual(second.cliKey, first.cliKey);
  const open = (key: string) =>
    fetch(`${second.origin}/v1/keys`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await open(second.cliKey)).status, 200);
  assert.equal((await open(first.cliKey)).status, 401);
});
