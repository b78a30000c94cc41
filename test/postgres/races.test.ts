// Two replicas are asked the same thing, or things that exclude each other, at the same time.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { everything } from "../../src/domain/account.ts";
import { changeKeyOf } from "../../src/flows/account/change-key.ts";
import { createKey } from "../../src/flows/account/create-key.ts";
import { ensureFirstAccount } from "../../src/flows/account/first-account.ts";
import { createEndpoint } from "../../src/flows/endpoint/create.ts";
import { changeEndpointOf } from "../../src/flows/endpoint/update.ts";
import { createTemplate } from "../../src/flows/template/create.ts";
import { deleteTemplateOf } from "../../src/flows/template/delete.ts";
import { changeTemplateOf } from "../../src/flows/template/update.ts";
import { findEndpoint, listReleases } from "../../src/store/endpoint/endpoint.ts";
import { findTemplate, listTemplates } from "../../src/store/template/template.ts";
import { missing } from "./database.ts";
import { accountOn, type Replica, race, templateOn, twoReplicas } from "./replicas.ts";

/** Each is tried so often: what can go wrong does not go wrong every time. */
const ROUNDS = 10;

async function open(t: TestContext) {
  const replicas = await twoReplicas(t);
  return { replicas, accountId: (await accountOn(replicas[0])).id };
}

/** The same from both replicas, several times each. */
function both<Result>(replicas: Replica[], ask: (replica: Replica) => Promise<Result>) {
  return race([...replicas, ...replicas, ...replicas].map(ask));
}

describe("races of replicas", { skip: missing }, () => {
  test("one first account is made", async (t) => {
    const { done } = await both(await twoReplicas(t), ensureFirstAccount);
    assert.equal(new Set(done.map(({ account }) => account.id)).size, 1);
    assert.equal(done.filter(({ made }) => made).length, 1);
  });

  test("one thing is made under an Idempotency-Key, and everybody hears of that one", async (t) => {
    const { replicas, accountId } = await open(t);
    for (let n = 0; n < ROUNDS; n++) {
      const once = { accountId, key: `key ${n}`, fingerprint: "same" };
      const wishes = { accountId, name: `once ${n}`, settings: { imageName: "x" }, once };
      const { done, refused } = await both(replicas, (each) => createTemplate(each, wishes));
      assert.deepEqual(refused, []);
      assert.equal(new Set(done.map(({ id }) => id)).size, 1);
    }
    const all = { accountId, bound: true, public: false };
    assert.equal((await replicas[0].store.read(listTemplates, all)).length, ROUNDS);
  });

  test("a name is taken once", async (t) => {
    const { replicas, accountId } = await open(t);
    for (let n = 0; n < ROUNDS; n++) {
      const { done, refused } = await both(replicas, (each) =>
        templateOn(each, accountId, `name ${n}`),
      );
      assert.equal(done.length, 1);
      assert.deepEqual(new Set(refused), new Set(["name_taken"]));
    }
  });

  test("a template is deleted or used, never both", async (t) => {
    const { replicas, accountId } = await open(t);
    const [a, b] = replicas;
    const seen = new Set<string>();
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await templateOn(a, accountId, `used ${n}`);
      const wishes = { templateId: id };
      const [used, deleted] = await Promise.all([
        race([createEndpoint(a, { accountId, keyId: "", wishes, once: null })]),
        race([deleteTemplateOf(b, accountId, id)]),
      ]);
      const there = (await a.store.read(findTemplate, id)) !== undefined;
      assert.equal(used.done.length, there ? 1 : 0);
      assert.deepEqual(deleted.refused, there ? ["template_in_use"] : []);
      seen.add(`${there}`);
    }
    t.diagnostic(`a template was left: ${[...seen].join(" and ")}`);
  });

  test("no change of an endpoint is lost, and each release has a version of its own", async (t) => {
    const { replicas, accountId } = await open(t);
    const [a, b] = replicas;
    const template = await templateOn(a, accountId);
    const wishes = { templateId: template.id };
    const { endpoint } = await createEndpoint(a, { accountId, keyId: "", wishes, once: null });
    const { id } = endpoint;
    for (let n = 1; n <= ROUNDS; n++) {
      const { refused } = await race<unknown>([
        changeEndpointOf(a, { accountId, id, wishes: { workersMax: 10 + n } }),
        changeEndpointOf(b, { accountId, id, wishes: { idleTimeout: 100 + n } }),
        changeTemplateOf(b, { accountId, id: template.id, changes: { env: { N: `${n}` } } }),
      ]);
      assert.deepEqual(refused, []);
      const now = (await a.store.read(findEndpoint, id))!;
      assert.deepEqual([now.spec.workersMax, now.spec.idleTimeout], [10 + n, 100 + n]);
      assert.equal(now.version, n + 1);
    }
    assert.equal((await a.store.read(listReleases, id)).length, ROUNDS + 1);
  });

  test("no change of a key is lost", async (t) => {
    const { replicas, accountId } = await open(t);
    const [a, b] = replicas;
    const by = {
      id: "by",
      accountId,
      name: "by",
      hint: "",
      member: null,
      createdAt: 0,
      disabledAt: null,
    };
    const master = { ...by, permissions: everything };
    const { key } = await createKey(a, { by: master, name: "key", permissions: null });
    for (let n = 0; n < ROUNDS; n++) {
      const disabled = n % 2 === 0;
      await Promise.all([
        changeKeyOf(a, master, key.id, { name: `name ${n}` }),
        changeKeyOf(b, master, key.id, { disabled }),
      ]);
      const now = await changeKeyOf(a, master, key.id, {});
      assert.deepEqual([now.name, now.disabledAt !== null], [`name ${n}`, disabled]);
    }
  });
});
