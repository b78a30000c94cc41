// Tests of orders that fail: what is said, and when the next one is due.

import assert from "node:assert/strict";
import { once } from "node:events";
import https from "node:https";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import { saveSetting } from "../../src/store/setting/setting.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { makeCertificate } from "../fixtures/service/certificate.ts";
import { doctorOn, newFolder, offline, refusing, replicaOn } from "./acme-replica.ts";

const HOUR_MS = 3_600_000;

test("what is damaged in the store is taken as missing", async (t) => {
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const damaged = ["tls_acme_certificate", "tls_acme_failure"];
  for (const name of damaged) await store.write(saveSetting, name, "v1.AAAA");
  const { certificate, order, served, problem } = replicaOn(t, store, offline(await freePort()));
  await certificate.follow();
  assert.deepEqual(served().names, ["127.0.0.1"]);
  await order();
  assert.match(problem()!.sentence, /cannot be reached/);
});

test("a failure of other settings, or of a clock that was ahead, delays nothing", async (t) => {
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const settings = offline(await freePort());
  const [one, other] = [
    replicaOn(t, store, settings),
    replicaOn(t, store, { ...settings, profile: "other" }),
  ];
  one.time.aheadMs = 365 * 24 * HOUR_MS;
  await one.order();
  assert.equal(one.problem()!.count, 1);
  await one.certificate.follow();
  assert.equal(one.certificate.failedOrders, 1);
  await other.certificate.follow();
  assert.equal(other.problem(), null);
  one.time.aheadMs = 0;
  await one.certificate.follow();
  assert.equal(one.problem(), null);
  assert.equal(one.certificate.failedOrders, 0);
  await one.order();
  assert.ok(one.problem()!.retryAt < Date.now() + HOUR_MS);
});

test("an order that cannot be noted in the store is not repeated at once", async (t) => {
  const opened = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => opened.close());
  const store = refusing(opened, ["ensureSetting", "saveSetting"]);
  const { certificate, order, problem } = replicaOn(t, store, offline(await freePort()));
  await assert.rejects(order(), /disk is full/);
  await certificate.follow();
  assert.equal(problem()!.sentence, "the disk is full");
  await certificate.orderIfDue();
  assert.equal(certificate.ordering, null);
});

test("a replica that cannot take port 80 follows the others, and the problem is shown", async (t) => {
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const taken = createServer().listen(0, "127.0.0.1");
  addCleanup(t, () => void taken.close());
  await once(taken, "listening");
  const settings = offline((taken.address() as AddressInfo).port);
  const { certificate, dataFolder, served, problem } = replicaOn(t, store, settings);
  const [follow] = certificate.loops();
  await assert.rejects(follow!.run(), /EADDRINUSE/);
  assert.deepEqual(served().names, ["127.0.0.1"]);
  assert.match(await doctorOn(dataFolder), /warn +TLS +a temporary certificate is served/);
  await certificate.orderIfDue();
  await certificate.ordering;
  await assert.rejects(follow!.run(), /EADDRINUSE/);
  assert.match(problem()!.sentence, /EADDRINUSE.*--acme-listen/);
});

test("a server that cannot be reached, or is not trusted, is named", async (t) => {
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const port = await freePort();
  const challenges = offline(await freePort());
  const sentenceFrom = async (directory: string) => {
    const { certificate, order, problem } = replicaOn(t, store, { ...challenges, directory });
    await order();
    await certificate.loops()[0]!.finish!();
    return problem()!.sentence;
  };
  const directory = `https://127.0.0.1:${port}/dir`;
  const closed = await sentenceFrom(directory);
  assert.equal(closed, `127.0.0.1:${port} cannot be reached: ECONNREFUSED`);
  const server = https.createServer(makeCertificate()).listen(port, "127.0.0.1");
  addCleanup(t, () => void server.close());
  await once(server, "listening");
  assert.match(
    await sentenceFrom(`${directory}ectory`),
    /certificate of 127\.0\.0\.1:\d+ is not trusted .*NODE_EXTRA_CA_CERTS/,
  );
});
