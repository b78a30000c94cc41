// Every body of REST v2 with one mistake is refused with 422 and the path of the mistake, and nothing is stored.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { operationsV2 } from "../../../src/contract/rest-v2/operations.ts";
import { startService, type TestService } from "../../fixtures/service/service.ts";
import { Dump } from "../dump.ts";
import { type Damaged, damagedOf } from "./damage.ts";
import { bodyOf, keywordsOf } from "./valid-bodies.ts";

const RUNS = Number(process.env.FREEHOLD_PROPERTY_RUNS ?? 2_000);
const AT_ONCE = 50;
const SEED = Number(process.env.FREEHOLD_SEED ?? 1 + Math.floor(Math.random() * 1e9));

interface Request extends Damaged {
  method: string;
  path: string;
}

/** The operations with a body, of which each is as likely. */
const requests = Object.values(operationsV2).flatMap(({ method, path, body }) =>
  body ? [{ method, path, schema: keywordsOf(body), valid: bodyOf(keywordsOf(body)) }] : [],
);

/** What the operations name in their paths. */
async function idsIn(service: TestService): Promise<Record<string, string>> {
  const create = async (path: string, body: object) => {
    const { status, json, text } = await service.call("POST", path, body);
    assert.equal(status, 201, text);
    return json.id as string;
  };
  const container = { name: "n", image: "i" };
  const endpoint = { type: "QUEUE", cpu: [{ id: "cpu3c", vcpuCount: 2 }], workers: { max: 0 } };
  const scaling = { type: "QUEUE_DELAY", queueDelay: 1 };
  const volume = { name: "v", size: 10, dataCenter: "EU-RO-1" };
  return {
    podId: "nothing",
    templateId: await create("/v2/templates", container),
    endpointId: await create("/v2/serverless", { ...container, ...endpoint, scaling }),
    networkVolumeId: await create("/v2/network-volumes", volume),
    secretId: await create("/v2/account/secrets", { name: "s", value: "v" }),
  };
}

function damagedRequests(ids: Record<string, string>): fc.Arbitrary<Request> {
  return fc.constantFrom(...requests).chain(({ method, path, schema, valid }) => {
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "nothing");
    const damaged = valid.chain((body) => damagedOf(schema, body));
    return damaged.map((each) => ({ ...each, method, path: address }));
  });
}

/** The tables that the operations write; the audit log records what was refused. */
const RESOURCES = [
  "pod",
  "endpoint",
  "release",
  "template",
  "network_volume",
  "registry_auth",
  "secret",
  "ssh_key",
  "idempotency",
];

/** Longer paths are cut in errors. */
const MAX_PATH_LENGTH = 200;

async function isRefused(service: TestService, { method, path, ...damaged }: Request) {
  const { body, place, how } = damaged;
  const answer = await service.call(method, path, JSON.stringify(body), {
    "content-type": "application/json",
  });
  const text = `${method} ${path}, ${how} at ${place}: ${answer.status} ${answer.text}`;
  assert.equal(answer.status, 422, text);
  const errors: string[] = answer.json.errors;
  const named = place.slice(0, MAX_PATH_LENGTH);
  assert.ok(
    errors.some((each) => each.startsWith(`${named}: `)),
    text,
  );
}

test(`a damaged body is refused by the path of its damage (seed ${SEED})`, async (t) => {
  const service = await startService(t);
  const damaged = damagedRequests(await idsIn(service));
  const file = path.join(service.dataFolder, "freehold.db");
  const dump = new Dump(file, RESOURCES);
  t.after(() => dump.close());
  const before = dump.take();
  const all = fc.sample(damaged, { numRuns: RUNS, seed: SEED });
  for (let n = 0; n < all.length; n += AT_ONCE) {
    await Promise.all(all.slice(n, n + AT_ONCE).map((request) => isRefused(service, request)));
  }
  assert.equal(dump.take(), before);
});
