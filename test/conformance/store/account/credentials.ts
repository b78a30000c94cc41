// Registry auths, secrets and SSH keys: unique within an account, and invisible to others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../../../../src/store/account/account.ts";
import { insertMember } from "../../../../src/store/member/member.ts";
import {
  changeRegistryAuth,
  deleteRegistryAuth,
  findRegistryAuth,
  insertRegistryAuth,
  listRegistryAuths,
  lockRegistryAuth,
  lockRegistryAuthShared,
} from "../../../../src/store/registry-auth/registry-auth.ts";
import {
  changeSecret,
  deleteSecret,
  findSecret,
  insertSecret,
  listSecrets,
  lockSecret,
  secretsNamed,
} from "../../../../src/store/secret/secret.ts";
import {
  deleteSshKey,
  deleteSshKeysOf,
  findSshKey,
  insertSshKey,
  listSshKeys,
} from "../../../../src/store/ssh-key/ssh-key.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const labels = { team: "a", run: 'x=y,"z' };

async function setFor(open: OpenStore, t: Parameters<OpenStore>[0]) {
  const fixture = await Fixture.set(open, t);
  const other = { id: "other", name: "o", webhookSecret: null, createdAt: fixture.now };
  await fixture.store.write(insertAccount, other);
  return fixture;
}

export function credentialsConformance(open: OpenStore): void {
  const set = (t: Parameters<OpenStore>[0]) => setFor(open, t);

  test("a registry auth's name is unique in an account, even if two are created at once", async (t) => {
    const { store, now } = await set(t);
    const auth = (id: string, name: string, accountId = "account") => {
      const credentials = `sealed ${id}`;
      return { id, accountId, name, labels, credentials, registry: null, createdAt: now };
    };
    const twice = ["a", "b"].map((id) => store.write(insertRegistryAuth, auth(id, "hub")));
    assert.deepEqual((await Promise.all(twice)).sort(), [false, true]);
    assert.equal(await store.write(insertRegistryAuth, auth("c", "hub", "other")), true);
    assert.equal(await store.write(insertRegistryAuth, auth("d", "ghcr", "other")), true);
    const ids = (await store.read(listRegistryAuths, "other")).map(({ id }) => id);
    assert.deepEqual(ids, ["c", "d"]);
    const inserted = auth("c", "hub", "other");
    assert.deepEqual(await store.read(findRegistryAuth, "c"), inserted);
    assert.deepEqual(await store.write(lockRegistryAuth, "c"), inserted);
    assert.deepEqual(await store.write(lockRegistryAuthShared, "c"), inserted);
    const changed = { ...inserted, credentials: "sealed anew", labels: { team: "b" } };
    await store.write(changeRegistryAuth, changed);
    assert.deepEqual(await store.read(findRegistryAuth, "c"), changed);
    await store.write(deleteRegistryAuth, inserted);
    assert.equal(await store.read(findRegistryAuth, "c"), undefined);
  });

  test("a secret is found by its name within its account, changed and deleted there", async (t) => {
    const { store, now } = await set(t);
    const secret = (id: string, name: string, accountId = "account") => {
      const times = { createdAt: now, changedAt: now, valueChangedAt: now };
      const texts = { description: "", labels: {}, value: `sealed ${id}` };
      return { id, accountId, name, ...texts, ...times };
    };
    assert.equal(await store.write(insertSecret, secret("a", "TOKEN")), true);
    assert.equal(await store.write(insertSecret, secret("b", "token")), false);
    assert.equal(await store.write(insertSecret, secret("c", "other")), true);
    assert.equal(await store.write(insertSecret, secret("d", "TOKEN", "other")), true);
    const named = await store.read(secretsNamed, "account", ["other", "nothing", "TOKEN"]);
    assert.deepEqual(
      named.map(({ id }) => id),
      ["c", "a"],
    );
    const changed = { ...secret("a", "TOKEN"), value: "new", description: "d", changedAt: now + 1 };
    await store.write(changeSecret, changed);
    assert.deepEqual(await store.read(findSecret, "a"), changed);
    assert.deepEqual(await store.write(lockSecret, "a"), changed);
    assert.equal(await store.write(deleteSecret, "a", "other"), false);
    assert.equal(await store.write(deleteSecret, "a", "account"), true);
    assert.equal(await store.write(deleteSecret, "a", "account"), false);
    const left = (await store.read(listSecrets, "account")).map(({ id }) => id);
    assert.deepEqual(left, ["c"]);
  });
  sshKeyConformance(set);
}

function sshKeyConformance(set: (t: Parameters<OpenStore>[0]) => Promise<Fixture>): void {
  test("an SSH key is kept once for each member and for the account itself", async (t) => {
    const { store, now } = await set(t);
    const key = (id: string, fingerprint: string, accountId = "account") => {
      const publicKey = `ssh-ed25519 ${id}`;
      return {
        id,
        accountId,
        member: null,
        name: id,
        publicKey,
        fingerprint,
        labels,
        createdAt: now,
      };
    };
    assert.equal(await store.write(insertSshKey, key("a", "SHA256:1")), true);
    assert.equal(await store.write(insertSshKey, key("b", "SHA256:1")), false);
    assert.equal(await store.write(insertSshKey, key("c", "SHA256:1", "other")), true);
    assert.equal(await store.write(insertSshKey, key("d", "SHA256:2")), true);
    assert.deepEqual(await store.read(findSshKey, "a"), key("a", "SHA256:1"));
    assert.equal(await store.write(deleteSshKey, "a", "other"), false);
    assert.equal(await store.write(deleteSshKey, "a", "account"), true);
    const left = (await store.read(listSshKeys, "account")).map(({ id }) => id);
    assert.deepEqual(left, ["d"]);
    const ada = { id: "ada", name: "Ada", role: "member" as const };
    const person = { ...ada, accountId: "account", email: "ada@example.org", createdAt: now };
    await store.write(insertMember, person);
    const adas = (id: string) => ({ ...key(id, "SHA256:2"), member: ada });
    assert.equal(await store.write(insertSshKey, adas("e")), true);
    assert.equal(await store.write(insertSshKey, adas("f")), false);
    assert.equal(await store.write(insertSshKey, key("g", "SHA256:2")), false);
    assert.deepEqual(await store.read(findSshKey, "e"), adas("e"));
    await store.write(deleteSshKeysOf, "ada", "account");
    assert.deepEqual(await store.read(listSshKeys, "account"), [key("d", "SHA256:2")]);
  });
}
