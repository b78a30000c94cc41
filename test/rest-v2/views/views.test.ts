// One state, three views: what one interface writes, the others read, and a write through one interface keeps
// what only another can say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { findSshKey } from "../../../src/store/ssh-key/ssh-key.ts";
import { simulatedService } from "../../pods/fixture.ts";
import { registries, secrets, volumes } from "./account.ts";
import { endpoints } from "./endpoints.ts";
import { pods } from "./pods.ts";
import { type Calls, callsOf, type Interface, interfaces, type Resource } from "./resource.ts";
import { templates } from "./templates.ts";

const resources = [pods, endpoints, templates, volumes, registries, secrets];

/** What every interface reads, which must be the same. */
async function readAll({ read, noun }: Resource, calls: Calls, id: string): Promise<object> {
  const views = await Promise.all(interfaces.map((each) => read[each](calls, id)));
  for (const [n, view] of views.entries()) {
    assert.deepEqual(view, views[0], `${noun} over ${interfaces[n]} and ${interfaces[0]}`);
  }
  return views[0]!;
}

/** The members of the stored resource that a write changes. */
async function changedBy({ stored }: Resource, calls: Calls, id: string, write: () => unknown) {
  const before: Record<string, unknown> = { ...(await stored(calls, id)) };
  await write();
  const after: Record<string, unknown> = { ...(await stored(calls, id)) };
  return Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

async function checkWrites(resource: Resource, calls: Calls, id: string, writer: Interface) {
  const { change, echo, changes, noun } = resource;
  const same = await changedBy(resource, calls, id, () => echo[writer]?.(calls, id));
  assert.deepEqual(same, [], `writing back: ${noun} over ${writer}`);
  if (!change[writer]) return;
  const value = `changed-by-${writer}`;
  const changed = await changedBy(resource, calls, id, () => change[writer]!(calls, id, value));
  assert.deepEqual(changed, changes, `change: ${noun} over ${writer}`);
  const read = await readAll(resource, calls, id);
  assert.ok(Object.values(read).includes(value), `${noun} ${JSON.stringify(read)}`);
}

test("every resource is the same through every interface", async (t) => {
  const calls = callsOf(await simulatedService(t));
  for (const resource of resources) {
    await t.test(resource.noun, async () => {
      for (const creator of interfaces) {
        const id = await resource.create[creator](calls, `${resource.noun} by ${creator}`);
        await readAll(resource, calls, id);
        await resource.fill?.(calls, id);
        await readAll(resource, calls, id);
        for (const writer of interfaces) await checkWrites(resource, calls, id, writer);
      }
    });
  }
  await t.test("SSH keys", () => checkSshKeys(calls));
});

const KEYS = ["mine", "yours"].map((owner, n) => {
  const body = "AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+o";
  return `ssh-ed25519 ${body}${"KL"[n]} ${owner}`;
});

/** The set is one resource of REST v2 and one text of GraphQL, and a key has a name only over REST v1. */
async function checkSshKeys({ service, rest, graphql }: Calls) {
  const [mine, yours] = KEYS as [string, string];
  const named = await rest("POST", "/v1/ssh-keys", { name: "laptop", publicKey: mine });
  const stored = () => service.service.store.read(findSshKey, named.id);
  const before = await stored();
  const readBoth = async () => {
    const { keys } = await rest("GET", "/v2/account/ssh-keys");
    const { myself } = await graphql("{ myself { pubKey } }");
    assert.deepEqual(myself.pubKey.split("\n").filter(Boolean), keys);
    const v1: { publicKey: string }[] = await rest("GET", "/v1/ssh-keys");
    assert.deepEqual(
      v1.map(({ publicKey }) => publicKey),
      keys,
    );
    return keys;
  };
  const { keys } = await rest("GET", "/v2/account/ssh-keys");
  assert.deepEqual(await readBoth(), keys);
  await rest("PUT", "/v2/account/ssh-keys", { keys: [...keys, yours] });
  assert.deepEqual(await readBoth(), [...keys, yours]);
  const save = "mutation ($pubKey: String) { updateUserSettings(input: {pubKey: $pubKey}) { id } }";
  await graphql(save, { pubKey: keys.join("\n") });
  assert.deepEqual(await readBoth(), keys);
  assert.deepEqual(await stored(), before);
}
