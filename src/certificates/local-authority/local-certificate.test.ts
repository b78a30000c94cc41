// Tests of the local authority's certificate: when it is issued again, and what its root refuses.

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type NetworkInterfaceInfo, tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { DAY_MS } from "../../base/units.ts";
import { Vault } from "../../base/vault.ts";
import { covers, readCertificate } from "../../config/certificate/certificate-files.ts";
import { ownFiles, readRoot } from "../../config/certificate/own-files.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { upsertReplica } from "../../store/replica/replica.ts";
import { deleteSetting, findSetting, saveSetting } from "../../store/setting/setting.ts";
import type { NamingSettings } from "./certified-names.ts";
import { ROOT_SETTING } from "./local-authority.ts";
import { openLocalCertificate } from "./local-certificate.ts";
import { refuseLiveReplicas } from "./replace-root.ts";

const NO_NAMES: NamingSettings = {
  publicUrl: null,
  proxyDomain: null,
  balancerDomain: null,
  s3Url: null,
  replicaUrl: null,
};
const log = pino({ level: "silent" });
const vault = new Vault("5".repeat(64));

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-local-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function storeIn(t: TestContext, folder: string): Store {
  const store = openSqlite(path.join(folder, "freehold.db"));
  t.after(() => store.close());
  return store;
}

const interfaceWith = (address: string): NetworkInterfaceInfo => ({
  address,
  netmask: "255.255.255.0",
  family: "IPv4",
  mac: "02:00:00:00:00:01",
  internal: false,
  cidr: `${address}/24`,
});

/** A replica: a data folder of its own on a store, and a machine whose addresses other tests do not change. */
function replicaOn(store: Store, dataFolder: string) {
  const time = { now: Date.now() };
  const interfaces: Record<string, NetworkInterfaceInfo[]> = { eth0: [interfaceWith("10.0.0.7")] };
  const files = ownFiles(dataFolder, "local");
  return {
    time,
    interfaces,
    files,
    open: (names: Partial<NamingSettings> = {}) =>
      openLocalCertificate({
        files,
        store,
        vault,
        log,
        interfaces,
        now: () => time.now,
        config: { ...NO_NAMES, ...names, dataFolder },
      }),
    served: () => readCertificate(files, time.now),
  };
}

test("a certificate is issued again after two thirds of its life, under the same root", async (t) => {
  const folder = newFolder(t);
  const { open, served, time } = replicaOn(storeIn(t, folder), folder);
  const local = await open({ publicUrl: "https://gpu.example.org" });
  const [first, root] = [served(), local.root()];
  assert.ok(covers(first.names, "gpu.example.org") && covers(first.names, "127.0.0.1"));
  time.now += 59 * DAY_MS;
  await local.loop().run();
  assert.equal(served().cert, first.cert);
  time.now += 2 * DAY_MS;
  await local.loop().run();
  assert.ok(served().endsAt > first.endsAt + 50 * DAY_MS);
  assert.equal(local.root(), root);
  assert.equal(readRoot(folder), root);
});

test("an address that the machine gets later leads to another certificate", async (t) => {
  const folder = newFolder(t);
  const { open, served, interfaces } = replicaOn(storeIn(t, folder), folder);
  const local = await open();
  assert.ok(covers(served().names, "10.0.0.7"));
  interfaces.eth1 = [interfaceWith("192.168.7.7")];
  await local.loop().run();
  assert.ok(covers(served().names, "192.168.7.7"));
});

test("other names, damaged files and another root lead to another certificate", async (t) => {
  const folder = newFolder(t);
  const store = storeIn(t, folder);
  const { open, served, files } = replicaOn(store, folder);
  await open({ publicUrl: "https://lab.example.org" });
  const first = served();
  await open({ publicUrl: "https://lab.example.org" });
  assert.equal(served().cert, first.cert);
  const local = await open({
    publicUrl: "https://lab.example.org",
    proxyDomain: "pods.lab.example.org",
  });
  assert.ok(covers(served().names, "a-80.pods.lab.example.org"));
  writeFileSync(files.key, "damaged");
  await local.loop().run();
  const [repaired, root] = [served(), local.root()];
  await store.write(deleteSetting, ROOT_SETTING);
  await local.loop().run();
  assert.notEqual(local.root(), root);
  assert.notEqual(served().cert, repaired.cert);
  assert.ok(new X509Certificate(served().cert).verify(new X509Certificate(local.root()).publicKey));
});

test("replicas on one store have one root, whose key is sealed there", async (t) => {
  const folder = newFolder(t);
  const store = storeIn(t, folder);
  const [one, other] = [replicaOn(store, folder), replicaOn(store, newFolder(t))];
  const opened = await Promise.all([one.open(), other.open()]);
  assert.equal(opened[0].root(), opened[1].root());
  assert.notEqual(one.served().cert, other.served().cert);
  const stored = (await store.read(findSetting, ROOT_SETTING))!;
  assert.doesNotMatch(stored, /PRIVATE KEY/);
  assert.match(readFileSync(one.files.key, "utf8"), /PRIVATE KEY/);
});

test("a damaged root is refused with a way out", async (t) => {
  const folder = newFolder(t);
  const store = storeIn(t, folder);
  const { open } = replicaOn(store, folder);
  await open();
  const root = JSON.parse((await store.read(findSetting, ROOT_SETTING))!);
  for (const value of ["{", "null", JSON.stringify({ ...root, sealedKey: "v1.AAAA" })]) {
    await store.write(saveSetting, ROOT_SETTING, value);
    await assert.rejects(open(), {
      name: "Refusal",
      message: /damaged: .*`freehold tls new-root`/,
    });
  }
});

test("a root stays while a replica on the database sends heartbeats", async (t) => {
  const store = storeIn(t, newFolder(t));
  const shared = new Proxy(store, {
    get: (target, name) => {
      const value = name === "alone" ? false : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await refuseLiveReplicas(shared);
  const replica = { id: "r1", machine: "m1", drivers: [], address: "http://10.0.0.5:8700" };
  const inventory = {} as Inventory;
  await store.write(upsertReplica, { ...replica, inventory }, Date.now());
  await assert.rejects(refuseLiveReplicas(shared), /runs, http:\/\/10\.0\.0\.5:8700: stop all/);
  await refuseLiveReplicas(store);
});

test("what the root cannot certify is refused with a way out", async (t) => {
  const folder = newFolder(t);
  const { open, time } = replicaOn(storeIn(t, folder), folder);
  await open({ publicUrl: "https://gpu.example.org" });
  await assert.rejects(
    open({ publicUrl: "https://gpu.example.net" }),
    /cannot certify gpu\.example\.net: .*gpu\.example\.org.*`freehold tls new-root` replaces it/,
  );
  await assert.rejects(open({ publicUrl: "https://8.8.8.8" }), /cannot certify 8\.8\.8\.8/);
  await open({ publicUrl: "https://10.9.8.7" });
  time.now += 3_651 * DAY_MS;
  await assert.rejects(open(), /the root of the local authority ended at/);
  time.now -= 2 * 3_651 * DAY_MS;
  await assert.rejects(open(), /valid only from .*: set this machine's clock, or `freehold tls/);
});
