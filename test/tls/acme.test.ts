// Tests of `--tls auto` with a real ACME server.

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { settingsBelow } from "../../src/store/setting/setting.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { doctorOn, newFolder, offline, refusing, replicaOn } from "./acme-replica.ts";
import { tlsClients } from "./clients.ts";
import { startPebble } from "./pebble.ts";

const HOUR_MS = 3_600_000;

test("a service gets its certificate at the start, and clients accept it", async (t) => {
  const pebble = await startPebble(t);
  if (pebble === null) return;
  const [port, challengePort] = [await freePort(), pebble.httpPort];
  const publicUrl = `https://127.0.0.1:${port}`;
  const service = await startService(t, {
    replicas: null,
    listen: `127.0.0.1:${port}`,
    env: {
      FREEHOLD_TLS: "auto",
      FREEHOLD_PUBLIC_URL: publicUrl,
      FREEHOLD_ACME_DIRECTORY: pebble.directory,
      FREEHOLD_ACME_TERMS: "accepted",
      FREEHOLD_ACME_EMAIL: "admin@example.org",
      FREEHOLD_ACME_PROFILE: "shortlived",
      FREEHOLD_ACME_LISTEN: `127.0.0.1:${challengePort}`,
    },
  });
  const file = path.join(service.dataFolder, "pebble.pem");
  writeFileSync(file, pebble.root);
  const clients = tlsClients(t, file);
  await until(() =>
    clients[0]!.call(`${publicUrl}/healthz`).then(
      () => true,
      () => false,
    ),
  );
  for (const { name, answers, call } of clients) {
    await t.test(name, async () => {
      const text = await call(`${publicUrl}/healthz`);
      assert.equal(text.match(/"status":"ok"/g)?.length, answers, text);
    });
  }

  await t.test(
    "the listener of the challenges leads pages to https, and takes no key",
    async () => {
      const origin = `http://127.0.0.1:${challengePort}`;
      const page = await fetch(`${origin}/docs`, { redirect: "manual" });
      assert.deepEqual([page.status, page.headers.get("location")], [308, `${publicUrl}/docs`]);
      const keyed = await fetch(`${origin}/v1/pods`, { headers: { authorization: "fh_key" } });
      assert.equal(keyed.status, 400);
      assert.match(await keyed.text(), /call https:\/\/127\.0\.0\.1/);
      const unknown = await fetch(`${origin}/.well-known/acme-challenge/none`);
      assert.equal(unknown.status, 404);
    },
  );
});

test("replicas share a certificate, which is renewed by its own life", async (t) => {
  const pebble = await startPebble(t);
  if (pebble === null) return;
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const settings = {
    directory: pebble.directory,
    email: null,
    profile: "shortlived",
    names: ["127.0.0.1"],
    listen: { host: "127.0.0.1", port: pebble.httpPort },
    publicUrl: "https://127.0.0.1",
  };
  const [one, other] = [replicaOn(t, store, settings), replicaOn(t, store, settings)];
  await one.certificate.follow();
  const temporary = one.served();
  await one.order();
  assert.equal(one.problem(), null);
  await other.certificate.follow();
  const first = one.served();
  assert.notEqual(first.cert, temporary.cert);
  assert.equal(other.served().cert, first.cert);
  const stored = await store.read(settingsBelow, "tls");
  assert.ok(stored.length > 1);
  for (const { value } of stored) assert.doesNotMatch(value, /PRIVATE KEY/);

  one.time.aheadMs = 4 * 24 * HOUR_MS - HOUR_MS;
  await one.order();
  assert.equal(one.served().cert, first.cert);
  one.time.aheadMs += 2 * HOUR_MS;
  await one.order();
  assert.equal(one.problem(), null);
  assert.notEqual(one.served().cert, first.cert);
});

test("a certificate that the store does not take is saved later, without another order", async (t) => {
  const pebble = await startPebble(t);
  if (pebble === null) return;
  const opened = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => opened.close());
  const settings = { ...offline(pebble.httpPort), directory: pebble.directory };
  const refused = ["saveIssued"];
  const { order, served } = replicaOn(t, refusing(opened, refused), settings);
  await assert.rejects(order(), /disk is full/);
  refused.pop();
  assert.deepEqual(await opened.read(settingsBelow, "tls_acme_certificate"), []);
  settings.directory = "https://127.0.0.1:1/dir"; // no other order is possible
  await order();
  assert.doesNotMatch(new X509Certificate(served().cert).issuer, /Freehold/);
});

test("a refusal is reported with the server's sentence, and not repeated at once", async (t) => {
  const pebble = await startPebble(t);
  if (pebble === null) return;
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const settings = {
    directory: pebble.directory,
    email: null,
    profile: "none",
    names: ["127.0.0.1"],
    listen: { host: "127.0.0.1", port: pebble.httpPort },
    publicUrl: "https://127.0.0.1",
  };
  const { time, dataFolder, certificate, order, problem } = replicaOn(t, store, settings);
  await order();
  const first = problem()!;
  assert.match(first.sentence, /profile/);
  await certificate.orderIfDue();
  assert.equal(certificate.ordering, null);
  time.aheadMs = first.retryAt - Date.now();
  await order();
  assert.equal(problem()!.count, 2);

  const stdout = await doctorOn(dataFolder);
  assert.match(stdout, /fail +TLS +no certificate was issued: .*profile/);
  // Other settings are tried at once.
  const corrected = replicaOn(t, store, { ...settings, profile: "shortlived" });
  await certificate.loops()[0]!.finish!();
  await corrected.order();
  assert.equal(corrected.served().names[0], "127.0.0.1");
  assert.equal(corrected.problem(), null);
});
