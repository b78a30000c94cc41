// The storage limit of an account and the numbers of what it may have, in the transactions that store.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { workloadOf } from "../../../../src/domain/endpoint/release.ts";
import { Fault } from "../../../../src/domain/fault.ts";
import { resourceLimits } from "../../../../src/domain/storage/resource-limits.ts";
import { defaultTemplate } from "../../../../src/domain/template/template.ts";
import { storedBytes } from "../../../../src/store/account/stored.ts";
import {
  findEndpoint,
  listReleases,
  updateEndpoint,
} from "../../../../src/store/endpoint/endpoint.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import {
  insertReleaseModel,
  modelsOfReleases,
} from "../../../../src/store/release-model/release-model.ts";
import { insertSecret } from "../../../../src/store/secret/secret.ts";
import { insertTemplate } from "../../../../src/store/template/template.ts";
import { requireRoom } from "../../../../src/transactions/account/require-room.ts";
import { forgetReleases } from "../../../../src/transactions/endpoint/forget-releases.ts";
import { submitWithinStorage } from "../../../../src/transactions/job/submit.ts";
import { bytesOfJob } from "../../../../src/transactions/storage/job-bytes.ts";
import { withinStorage } from "../../../../src/transactions/storage/require-storage.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const refused = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((each) => {
    const result: unknown = each.status === "fulfilled" ? each.value : each.reason;
    if (!(result instanceof Fault)) return false;
    assert.equal(result.code, "storage_full");
    return true;
  }).length;

function newTemplate(id: string, now: number) {
  const spec = { ...defaultTemplate("x"), readme: "r".repeat(5_000) };
  return { id, accountId: "account", name: id, labels: {}, spec, createdAt: now };
}

/** Two replicas that store at once. */
export function storageRaces(openTwo: (t: TestContext) => Promise<Store[]>, rounds: number): void {
  test("replicas that store at once do not pass the limit", async (t) => {
    const stores = await openTwo(t);
    t.after(() => Promise.all(stores.map((each) => each.close())));
    const fixture = new Fixture(stores[0]!);
    await fixture.prepare();
    const { store, now } = fixture;
    const job = bytesOfJob(fixture.newJob());
    for (let round = 10; round < 10 + rounds; round++) {
      const before = await store.read(storedBytes, "account");
      // Room for one template and one job, or for several jobs.
      const limit = { accountId: "account", bytes: before + 6_000 + job };
      const results = await Promise.allSettled(
        stores.flatMap((each, n) => [
          each.write(() =>
            withinStorage(limit, insertTemplate(newTemplate(`t${round}-${n}`, now))),
          ),
          each.write(submitWithinStorage, fixture.newJob({ storageLimit: limit })),
        ]),
      );
      assert.ok(refused(results) >= 1);
      const after = await store.read(storedBytes, "account");
      assert.ok(after > before && after <= limit.bytes, `${after} of ${limit.bytes}`);
    }
  });
}

export function storageConformance(open: OpenStore): void {
  const set = (t: Parameters<OpenStore>[0]) => Fixture.set(open, t);

  test("jobs of one batch fill the limit to the byte and not beyond", async (t) => {
    const fixture = await set(t);
    const { store } = fixture;
    const bytes = bytesOfJob(fixture.newJob());
    const stored = await store.read(storedBytes, "account");
    for (const [spare, room] of [
      [0, 3],
      [-1, 2],
    ] as const) {
      const before = await store.read(storedBytes, "account");
      const storageLimit = { accountId: "account", bytes: before + 3 * bytes + spare };
      const results = await Promise.allSettled(
        Array.from({ length: 5 }, () =>
          store.write(submitWithinStorage, fixture.newJob({ storageLimit })),
        ),
      );
      assert.equal(refused(results), 5 - room);
      assert.equal(await store.read(storedBytes, "account"), before + room * bytes);
    }
    assert.equal(await store.read(storedBytes, "account"), stored + 5 * bytes);
  });

  test("what a transaction stores is measured, and rolled back beyond the limit", async (t) => {
    const { store, now } = await set(t);
    const template = (id: string) => newTemplate(id, now);
    const before = await store.read(storedBytes, "account");
    assert.equal(await store.write(insertTemplate, template("first")), "done");
    const bytes = (await store.read(storedBytes, "account")) - before;
    const create = (id: string, limitBytes: number) =>
      store.write(() =>
        withinStorage({ accountId: "account", bytes: limitBytes }, insertTemplate(template(id))),
      );
    // The second name has one byte more than the first.
    const full = before + 2 * bytes + 1;
    assert.equal(refused(await Promise.allSettled([create("second", full - 1)])), 1);
    assert.equal(await store.read(storedBytes, "account"), before + bytes);
    const names = ["second", "zweite", "dritte", "vierte"];
    const results = await Promise.allSettled(names.map((id) => create(id, full)));
    assert.equal(refused(results), 3);
    assert.equal(await store.read(storedBytes, "account"), full);
  });

  test("the last place of a number limit is taken once", async (t) => {
    const { store, now } = await set(t);
    const { limit } = resourceLimits.secret;
    const texts = { description: "", labels: {}, value: "sealed" };
    const times = { createdAt: now, changedAt: now, valueChangedAt: now };
    const secret = (n: number) => {
      return { id: `s${n}`, accountId: "account", name: `n${n}`, ...texts, ...times };
    };
    await store.write(function* () {
      for (let n = 1; n < limit; n++) yield* insertSecret(secret(n));
    });
    const codes = await Promise.all(
      [0, limit].map((n) =>
        store.write(function* () {
          const refusal = yield* requireRoom("secret", "account");
          if (refusal) return refusal.code;
          return yield* insertSecret(secret(n));
        }),
      ),
    );
    assert.deepEqual(codes, [true, "too_many_of_kind"]);
  });

  releaseConformance(open);
}

function releaseConformance(open: OpenStore): void {
  test("an endpoint keeps its newest releases, and those that a worker runs", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const workload = workloadOf(defaultTemplate("x"));
    const before = await store.read(storedBytes, "account");
    for (let version = 2; version <= 8; version++) {
      const release = { endpointId: "e", version, workload, reason: "test", createdAt: now };
      const endpoint = { ...(await store.read(findEndpoint, "e"))!, version };
      await store.write(updateEndpoint, endpoint, release);
      const pin = { endpointId: "e", version, model: "o/n", revision: "main", commit: "c" };
      await store.write(insertReleaseModel, pin);
    }
    const versions = async () =>
      (await store.read(listReleases, "e")).map(({ version }) => version);
    assert.equal(await store.write(forgetReleases, 3, 2), 2);
    assert.equal(await store.write(forgetReleases, 3, 100), 2);
    assert.deepEqual(await versions(), [8, 7, 6, 1], "a worker runs version 1");
    const pins = await store.read(modelsOfReleases, "e");
    assert.deepEqual(
      pins.map(({ version }) => version),
      [6, 7, 8],
    );
    assert.equal(await store.write(forgetReleases, 3, 100), 0);
    const bytes = (await store.read(storedBytes, "account")) - before;
    assert.ok(bytes < 3 * 2_000, `${bytes}`);
  });
}
