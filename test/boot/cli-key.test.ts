// Tests of the command line's own key: it can be revoked by itself, and the next start creates another; no other key takes its access.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { up } from "../../src/app/boot/up.ts";
import { readConfig } from "../../src/config/config.ts";
import { insertBudget } from "../../src/store/budget/budget.ts";
import { join } from "../accounts/join.ts";
import { startService } from "../fixtures/service/service.ts";

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

test("no other key, also of an admin, limits, disables, revokes or budgets the command line's own", async (t) => {
  const service = await startService(t, { replicas: null });
  const eve = await join(service, "admin", "Eve");
  const { json: keys } = await service.call("GET", "/v1/keys");
  const own = keys.find(({ name }: { name: string }) => name === "this machine's command line");
  const { json: account } = await service.call("GET", "/v1/account");
  const { json: minted } = await eve.call("POST", `/v1/accounts/${account.id}/keys`, { name: "k" });
  const one = `/v1/keys/${own.id}`;
  const attacks: [string, string, object?][] = [
    ["DELETE", one],
    ["PATCH", one, { disabled: true }],
    ["PATCH", one, { permissions: { rest: "none" } }],
    ["POST", "/v1/budgets", { keyId: own.id, period: "month", limit: 0.000001 }],
  ];
  for (const key of [eve.key, minted.key]) {
    assert.ok(key);
    for (const [method, path, body] of attacks) {
      const answer = await service.call(method, path, body, { authorization: `Bearer ${key}` });
      assert.equal(answer.status, 403, `${method} ${path} ${answer.text}`);
      assert.match(answer.text, /the key of a machine's own commands/);
    }
    const query = `mutation { apiKeyRevoke(input: { id: "${own.id}" }) }`;
    const graphql = await service.call(
      "POST",
      "/graphql",
      { query },
      { authorization: `Bearer ${key}` },
    );
    assert.ok(graphql.json.errors, graphql.text);
  }
  assert.equal((await eve.call("PATCH", one, { name: "theirs" })).status, 200);
  assert.equal((await service.call("POST", "/v1/keys", { name: "still" })).status, 200);
  // Another machine's key has set this one.
  const id = "anothermachine";
  const never = { warnedAt: null, warnedUntil: null, spentAt: null, spentUntil: null };
  const key = { scope: "key" as const, subjectId: own.id, period: "month" as const };
  const budget = { id, accountId: account.id, name: "", labels: {}, ...key, limit: 1e9, ...never };
  await service.service.store.write(insertBudget, { ...budget, createdAt: Date.now() });
  const lower = await eve.call("PATCH", `/v1/budgets/${id}`, { limit: 0.000001 });
  assert.equal(lower.status, 403, lower.text);
  assert.equal((await eve.call("PATCH", `/v1/budgets/${id}`, { name: "b" })).status, 200);
});
