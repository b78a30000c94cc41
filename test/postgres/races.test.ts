// Races of two replicas that do the same, or what excludes each other, at the same time.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { Vault } from "../../src/base/vault.ts";
import { everything } from "../../src/domain/account.ts";
import { MAX_UNFINISHED_BATCHES } from "../../src/domain/batch/batch.ts";
import { MAX_OPEN_LOGINS } from "../../src/domain/device-login.ts";
import { anyJob } from "../../src/domain/job/job-filter.ts";
import { MAX_RUNNING_OPERATIONS } from "../../src/domain/job-operation/job-operation.ts";
import { changeKeyOf } from "../../src/flows/account/change-key.ts";
import { createKey } from "../../src/flows/account/create-key.ts";
import { ensureFirstAccount } from "../../src/flows/account/first-account.ts";
import { createEndpoint } from "../../src/flows/endpoint/create.ts";
import { changeEndpointOf } from "../../src/flows/endpoint/update.ts";
import { beginLogin } from "../../src/flows/session/device-login.ts";
import { createTemplate } from "../../src/flows/template/create.ts";
import { deleteTemplateOf } from "../../src/flows/template/delete.ts";
import { changeTemplateOf } from "../../src/flows/template/update.ts";
import { throwRefusal } from "../../src/flows/throw-refusal.ts";
import { insertKey } from "../../src/store/api-key/api-key.ts";
import { listBatches } from "../../src/store/batch/batch.ts";
import { findEndpoint, listReleases } from "../../src/store/endpoint/endpoint.ts";
import { findTemplate, listTemplates } from "../../src/store/template/template.ts";
import { createBatchOnce } from "../../src/transactions/batch/create.ts";
import { startJobOperation } from "../../src/transactions/job-operation/start.ts";
import { missing } from "./database.ts";
import { accountOn, type Replica, race, templateOn, twoReplicas } from "./replicas.ts";

/** Every race is repeated, because a fault does not show every time. */
const ROUNDS = 10;

async function open(t: TestContext) {
  const replicas = await twoReplicas(t);
  return { replicas, accountId: (await accountOn(replicas[0])).id };
}

/** Makes the same call on both replicas, three times each. */
function both<Result>(replicas: Replica[], call: (replica: Replica) => Promise<Result>) {
  return race([...replicas, ...replicas, ...replicas].map(call));
}

describe("races of replicas", { skip: missing }, () => {
  test("one first account is created", async (t) => {
    const { done } = await both(await twoReplicas(t), ensureFirstAccount);
    assert.equal(new Set(done.map(({ account }) => account.id)).size, 1);
    assert.equal(done.filter(({ isNew }) => isNew).length, 1);
  });

  test("calls with one Idempotency-Key create one template and all return it", async (t) => {
    const { replicas, accountId } = await open(t);
    for (let n = 0; n < ROUNDS; n++) {
      const once = { accountId, key: `key ${n}`, fingerprint: "same", callerKeyId: "key" };
      const request = { accountId, name: `once ${n}`, settings: { imageName: "x" }, once };
      const { done, refused } = await both(replicas, (each) => createTemplate(each, request));
      assert.deepEqual(refused, []);
      assert.equal(new Set(done.map(({ id }) => id)).size, 1);
    }
    const all = { accountId, bound: true, public: false };
    assert.equal((await replicas[0].store.read(listTemplates, all)).length, ROUNDS);
  });

  test("a name is used once", async (t) => {
    const { replicas, accountId } = await open(t);
    for (let n = 0; n < ROUNDS; n++) {
      const { done, refused } = await both(replicas, (each) =>
        templateOn(each, accountId, `name ${n}`),
      );
      assert.equal(done.length, 1);
      assert.deepEqual(new Set(refused), new Set(["name_taken"]));
    }
  });

  test("the last place of operations on jobs and of batches is taken once", async (t) => {
    const { replicas, accountId } = await open(t);
    const [a] = replicas;
    const { store, ids, clock } = a;
    const template = await templateOn(a, accountId);
    const request = { templateId: template.id };
    const places = await Promise.all(
      replicas.map(() => createEndpoint(a, { accountId, keyId: "", request, once: null })),
    );
    const startOn = ({ store }: Replica) => {
      const operation = { id: ids.short(14), accountId, action: "retry", filter: anyJob } as const;
      return throwRefusal(store.write(startJobOperation, operation, clock.now()));
    };
    const createOn = (replica: Replica) => {
      const { endpoint } = places[replicas.indexOf(replica)]!;
      const owner = { accountId, endpointId: endpoint.id, webhook: null, trace: null };
      const batch = { ...owner, id: ids.short(14), total: 1, bytes: 2, createdAt: clock.now() };
      return throwRefusal(replica.store.write(createBatchOnce, null, batch, { inline: "[]" }));
    };
    for (let n = 1; n < MAX_RUNNING_OPERATIONS; n++) await startOn(a);
    for (let n = 1; n < MAX_UNFINISHED_BATCHES; n++) await createOn(a);
    for (const call of [startOn, createOn]) {
      const { done, refused } = await both<unknown>(replicas, call);
      assert.equal(done.length, 1);
      assert.deepEqual(new Set(refused), new Set(["too_many_running"]));
    }
    assert.equal(
      (await store.read(listBatches, accountId, null, 200)).length,
      MAX_UNFINISHED_BATCHES,
    );
  });

  test("the last place of device logins from one address is taken once", async (t) => {
    const replicas = await twoReplicas(t);
    const from = { address: "192.0.2.1", agent: "" };
    for (let n = 1; n < MAX_OPEN_LOGINS.perAddress; n++) await beginLogin(replicas[0], from);
    const { done, refused } = await both(replicas, (replica) => beginLogin(replica, from));
    assert.equal(done.length, 1);
    assert.deepEqual(new Set(refused), new Set(["rate_limited"]));
  });

  test("a template is deleted or used, never both", async (t) => {
    const { replicas, accountId } = await open(t);
    const [a, b] = replicas;
    const outcomes = new Set<string>();
    for (let n = 0; n < ROUNDS; n++) {
      const { id } = await templateOn(a, accountId, `used ${n}`);
      const request = { templateId: id };
      const [used, deleted] = await Promise.all([
        race([createEndpoint(a, { accountId, keyId: "", request, once: null })]),
        race([deleteTemplateOf(b, accountId, id)]),
      ]);
      const isLeft = (await a.store.read(findTemplate, id)) !== undefined;
      assert.equal(used.done.length, isLeft ? 1 : 0);
      assert.deepEqual(deleted.refused, isLeft ? ["template_in_use"] : []);
      outcomes.add(isLeft ? "used" : "deleted");
    }
    t.diagnostic(`templates were ${[...outcomes].join(" and ")}`);
  });

  test("no change of an endpoint is lost, and every release has its own version", async (t) => {
    const { replicas, accountId } = await open(t);
    const [a, b] = replicas;
    const template = await templateOn(a, accountId);
    const request = { templateId: template.id };
    const { endpoint } = await createEndpoint(a, { accountId, keyId: "", request, once: null });
    const { id } = endpoint;
    for (let n = 1; n <= ROUNDS; n++) {
      const { refused } = await race<unknown>([
        changeEndpointOf(a, { accountId, id, request: { workersMax: 10 + n } }),
        changeEndpointOf(b, { accountId, id, request: { idleTimeout: 100 + n } }),
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
    await a.store.write(insertKey, master, "hash of by");
    const { key } = await createKey(
      { ...a, vault: new Vault("0".repeat(64)) },
      { by: master, name: "key", permissions: null, once: null },
    );
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
