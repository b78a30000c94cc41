// Tests of `--tls local`: clients that installed the root, and nothing else, reach every listener.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { saveSetting } from "../../src/store/setting/setting.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { COMMAND } from "../fixtures/service/command-file.ts";
import { startService } from "../fixtures/service/service.ts";
import { runOn } from "../team/namespaces.ts";
import { tlsClients } from "./clients.ts";

test("clients with the root reach the service over TLS, and others refuse it", async (t) => {
  const service = await startService(t, {
    replicas: null,
    env: { FREEHOLD_TLS: "local", FREEHOLD_PROXY_DOMAIN: "pods.lan" },
  });
  const { origin, shownOrigin, proxyOrigin, dataFolder } = service;
  assert.match(shownOrigin, /^https:\/\/127\.0\.0\.1:\d+$/);
  // The route needs no key and no TLS.
  const answer = await fetch(`${origin}/tls/root.pem`);
  const root = await answer.text();
  const file = path.join(dataFolder, "fetched-root.pem");
  writeFileSync(file, root);

  for (const { name, answers, call } of tlsClients(t, file)) {
    await t.test(name, async () => {
      const text = await call(`${shownOrigin}/healthz`);
      assert.equal(text.match(/"status":"ok"/g)?.length, answers, text);
      const { port } = new URL(shownOrigin);
      assert.match(await call(`https://localhost:${port}/healthz`), /ok/);
    });
  }

  await t.test("the proxy's own listener and the names of Pods are certified", async () => {
    const { port } = new URL(shownOrigin);
    const curl = ["curl", "-sS", "--cacert", file, "--resolve", `a-80.pods.lan:${port}:127.0.0.1`];
    const pod = await runOn([], [...curl, `https://a-80.pods.lan:${port}/`]);
    assert.match(pod.stdout, /"code":/, pod.stderr);
    const path = await runOn([], [...curl, `${proxyOrigin}/healthz`]);
    assert.match(path.stdout, /no_such_site/, path.stderr);
  });

  await t.test("without the root it is refused", async () => {
    const { code, stderr } = await runOn([], ["curl", "-sS", `${shownOrigin}/healthz`]);
    assert.equal(code, 60, stderr);
  });

  await t.test("the command prints the root, and its fingerprint beside it", async () => {
    const command = [process.execPath, COMMAND, "tls", "root", "--data", dataFolder];
    const { stdout, stderr } = await runOn([], command);
    assert.equal(stdout, root);
    assert.match(stderr, /^SHA-256 (?:[0-9A-F]{2}:){31}/);
    const bundle = await runOn([], [...command, "--bundle"]);
    assert.ok(bundle.stdout.startsWith(root.trim()));
    assert.ok(bundle.stdout.match(/BEGIN CERTIFICATE/g)!.length > 50);
  });
});

test("the command forgets the root, and creates nothing where there is none", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-root-"));
  addCleanup(t, () => rmSync(folder, { recursive: true }));
  const newRoot = (data: string) =>
    runOn([], [process.execPath, COMMAND, "tls", "new-root", "--data", data]);
  const store = openSqlite(path.join(folder, "freehold.db"));
  await store.write(saveSetting, "tls_local_root", "{}");
  await store.close();
  const { code, stdout, stderr } = await newRoot(folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^The root is gone\./);
  assert.match((await newRoot(folder)).stderr, /there is no root to replace/);
  const mistyped = path.join(folder, "mistyped");
  const refused = await newRoot(mistyped);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /there is no data folder .*mistyped/);
  assert.ok(!existsSync(mistyped));
});

test("there is no root without a local authority", async (t) => {
  const { origin } = await startService(t, { replicas: null });
  assert.equal((await fetch(`${origin}/tls/root.pem`)).status, 404);
});
