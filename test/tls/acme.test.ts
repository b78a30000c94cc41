// Tests of `--tls auto` with a real ACME server.

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { AcmeCertificate } from "../../src/app/acme/acme-certificate.ts";
import type { AcmeSettings } from "../../src/app/config/certificate/acme-config.ts";
import { readCertificate } from "../../src/app/tls/certificate-files.ts";
import { ownFiles, problemFile } from "../../src/app/tls/own-files.ts";
import { Vault } from "../../src/base/vault.ts";
import { openSqlite } from "../../src/store/engine/sqlite/open.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { saveSetting, settingsBelow } from "../../src/store/setting/setting.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { makeCertificate } from "../fixtures/service/certificate.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { runOn } from "../team/namespaces.ts";
import { tlsClients } from "./clients.ts";
import { startPebble } from "./pebble.ts";

const COMMAND = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");
const HOUR_MS = 3_600_000;

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-acme-"));
  addCleanup(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const doctorOn = async (dataFolder: string) => {
  const doctor = [process.execPath, COMMAND, "doctor", "--data", dataFolder];
  const env = {
    ...{ ...process.env, FREEHOLD_TLS: "auto", FREEHOLD_ACME_TERMS: "accepted" },
    FREEHOLD_PUBLIC_URL: "https://127.0.0.1:1",
  };
  return (await runOn([], doctor, { env })).stdout;
};

const offline = (port: number): AcmeSettings => ({
  ...{
    directory: `https://127.0.0.1:${port}/dir`,
    email: null,
    profile: null,
    names: ["127.0.0.1"],
  },
  ...{ listen: { host: "127.0.0.1", port }, publicUrl: "https://127.0.0.1" },
});

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

/** One replica of a service, without the rest of it. */
function replicaOn(t: TestContext, store: Store, settings: AcmeSettings) {
  const time = { aheadMs: 0 };
  const now = () => Date.now() + time.aheadMs;
  const dataFolder = newFolder(t);
  const files = ownFiles(dataFolder, "acme");
  const log = pino({ level: "silent" });
  const vault = new Vault("5".repeat(64));
  const certificate = new AcmeCertificate({
    ...{ settings, dataFolder, files, store, vault, log, now },
  });
  addCleanup(t, () => certificate.loops()[0]!.finish!());
  const order = async () => {
    await certificate.orderIfDue();
    await certificate.ordering;
    await certificate.follow();
  };
  const served = () => readCertificate(files, now());
  const problem = (): { sentence: string; count: number; retryAt: number } | null => {
    const file = problemFile(dataFolder);
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  };
  return { time, dataFolder, certificate, order, served, problem };
}

test("replicas share a certificate, which is renewed by its own life", async (t) => {
  const pebble = await startPebble(t);
  if (pebble === null) return;
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const settings = {
    ...{ directory: pebble.directory, email: null, profile: "shortlived", names: ["127.0.0.1"] },
    ...{ listen: { host: "127.0.0.1", port: pebble.httpPort }, publicUrl: "https://127.0.0.1" },
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

/** The store, which refuses transactions of these names. */
function refusing(store: Store, names: string[]): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "write") {
        return async (transaction: () => never, ...given: []) => {
          if (names.includes(transaction.name)) throw new Error("the disk is full");
          return target.write(transaction, ...given);
        };
      }
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

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
  await other.certificate.follow();
  assert.equal(other.problem(), null);
  one.time.aheadMs = 0;
  await one.certificate.follow();
  assert.equal(one.problem(), null);
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

test("a refusal is reported with the server's sentence, and not repeated at once", async (t) => {
  const pebble = await startPebble(t);
  if (pebble === null) return;
  const store = openSqlite(path.join(newFolder(t), "freehold.db"));
  addCleanup(t, () => store.close());
  const settings = {
    ...{ directory: pebble.directory, email: null, profile: "none", names: ["127.0.0.1"] },
    ...{ listen: { host: "127.0.0.1", port: pebble.httpPort }, publicUrl: "https://127.0.0.1" },
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
