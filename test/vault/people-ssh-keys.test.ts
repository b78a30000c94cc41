// Tests of one SSH key that several people have.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { watchAccess } from "../../src/flows/access-watch.ts";
import { authorizeSsh, lastingSshAccess } from "../../src/flows/ssh/authorize.ts";
import { join } from "../accounts/join.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

type Caller = Pick<TestService, "call">;

const POD = { imageName: "i", computeType: "CPU", driver: "simulated" };

test("people have the same SSH key independently, whichever of them adds it first", async (t) => {
  const service = await simulatedService(t);
  const ssh = { store: service.service.store, clock: systemClock, sshNeedsSignIn: false };
  const ada = await join(service, "member", "Ada");
  const bob = await join(service, "member", "Bob", "bob@example.org");
  const eve = await join(service, "dev", "Eve");
  const [first, second] = [newSshKey(), newSshKey()];
  const add = ({ call }: Caller, publicKey: string) => call("POST", "/v1/ssh-keys", { publicKey });
  const put = async ({ call }: Caller, keys: string[]) =>
    (await call("PUT", "/v2/account/ssh-keys", { keys })).json.keys;
  const holdersOf = async ({ publicKey }: { publicKey: string }) => {
    const { json } = await service.call("GET", "/v1/ssh-keys");
    return json
      .filter((key: { publicKey: string }) => key.publicKey === publicKey)
      .map(({ createdBy }: { createdBy?: { name: string } }) => createdBy?.name ?? "account");
  };
  const setPubKey = async ({ call }: Caller, pubKey: string) => {
    const query = `mutation { updateUserSettings(input: { pubKey: "${pubKey}" }) { pubKey } }`;
    return (await call("POST", "/graphql", { query })).json.data.updateUserSettings.pubKey;
  };

  // A member adds the public key of others first, which keeps it from none of them.
  assert.equal((await add(ada, first.publicKey)).status, 200);
  const podId = (await eve.call("POST", "/v1/pods", POD)).json.id;
  assert.equal(await authorizeSsh(ssh, podId, first.blob), null);
  assert.deepEqual(await put(eve, [first.publicKey]), [first.publicKey]);
  assert.deepEqual(await put(eve, [first.publicKey]), [first.publicKey]);
  assert.equal((await add(bob, first.publicKey)).status, 200);
  assert.equal((await add(service, first.publicKey)).status, 200);
  for (const caller of [ada, bob, eve, service]) {
    assert.equal((await add(caller, first.publicKey)).json.code, "ssh_key_known");
  }
  assert.deepEqual(await holdersOf(first), ["Ada", "Eve", "Bob", "account"]);
  const later = (await eve.call("POST", "/v1/pods", POD)).json.id;
  await until(podsOf(service).reached, later);
  assert.equal(startedWorkload(service, later)!.env.PUBLIC_KEY, first.publicKey);

  // A member's list changes only the member's keys, and the shared list changes none of them.
  assert.equal(await setPubKey(bob, second.publicKey), second.publicKey);
  assert.equal(await setPubKey(eve, second.publicKey), second.publicKey);
  assert.deepEqual(await holdersOf(first), ["Ada"]);
  assert.deepEqual(await holdersOf(second), ["Bob", "Eve"]);
  assert.deepEqual(await put(bob, []), []);
  assert.deepEqual(await put(bob, [second.publicKey]), [second.publicKey]);
  assert.deepEqual(await holdersOf(second), ["Eve", "Bob"]);

  // To write back the shared list does not make a member's key one that opens every Pod.
  const own = (await ada.call("POST", "/v1/pods", POD)).json.id;
  assert.deepEqual(await put(service, await put(eve, [second.publicKey])), [second.publicKey]);
  assert.equal(await authorizeSsh(ssh, podId, first.blob), null);
  assert.equal((await authorizeSsh(ssh, own, first.blob))?.key.member?.name, "Ada");

  // The access of one holder ends with the membership, and the other's stays.
  await add(ada, second.publicKey);
  const access = (await authorizeSsh(ssh, own, second.blob))!;
  assert.equal(access.key.member?.name, "Ada");
  const lost: string[] = [];
  const onLost = () => void lost.push("Ada");
  t.after(watchAccess(ssh.clock, lastingSshAccess(ssh, access, second.blob), onLost));
  const leaving = `/v1/members/${ada.member.id}?handOverTo=${bob.member.id}`;
  assert.equal((await service.call("DELETE", leaving)).status, 204);
  await until(() => lost.length > 0 || null);
  assert.deepEqual(await holdersOf(second), ["Eve", "Bob"]);
  assert.equal((await authorizeSsh(ssh, own, second.blob))?.key.member?.name, "Bob");
  await service.call("DELETE", `/v1/members/${bob.member.id}`);
  assert.equal((await authorizeSsh(ssh, own, second.blob))?.key.member?.name, "Eve");
});
