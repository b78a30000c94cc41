// Two replicas change different fields of one resource at the same time: each change is kept, for every operation that changes
// a part of a resource.

import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { openapi } from "../../src/contract/openapi.ts";
import { openapiV2 } from "../../src/contract/rest-v2/openapi.ts";
import { join } from "../accounts/join.ts";
import { databaseOf } from "../fixtures/service/service-storage.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { type Pair, startPair } from "./pair.ts";

interface Change {
  /** The path of the operation, with its parameters. */
  operation: string;
  path: string;
  /** The row that both changes write or hold. */
  row: string;
  bodies: [object, object];
  /** What is read afterwards; by default both bodies. */
  expected?: object;
  /** The path itself by default. */
  read?: string;
}

/** Operations that change one field, in which the last request counts. */
const ONE_FIELD = ["/v1/account", "/v2/registries/{registryId}"];

const row = (table: string, id: string) => `${table} where id = '${id}'`;
const labels = { team: "search" };

test("changes of different fields on two replicas at the same time are all kept", {
  skip: missing,
}, async (t) => {
  const gpus = { FREEHOLD_GPUS: '{"NVIDIA A40": 8}' };
  const pair = await startPair(t, { drivers: "simulated", env: gpus });
  const locker = new pg.Client(databaseOf(pair.service.dataFolder));
  await locker.connect();
  t.after(() => locker.end());
  const changes = await changesOf(pair);
  const operations = new Set(changes.map(({ operation }) => operation));
  assert.deepEqual([...operations, ...ONE_FIELD].sort(), patchPaths().sort());
  for (const change of changes) await changeAtOnce(pair, locker, change);
});

function patchPaths(): string[] {
  return [openapi(), openapiV2()].flatMap(({ paths }) =>
    Object.entries(paths as Record<string, object>)
      .filter(([path, methods]) => "patch" in methods && path !== "/v2/{endpointId}/openai/{path}")
      .map(([path]) => path),
  );
}

const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event in ('transactionid', 'tuple')`;

/** Both requests are under way before the row is free, unless one needs it not. */
async function changeAtOnce(pair: Pair, locker: pg.Client, change: Change): Promise<void> {
  const { a, b } = pair;
  const { path, row, bodies, expected, read = path } = change;
  await locker.query(`begin; select 1 from ${row} for no key update`);
  const answers = [];
  for (const [n, replica] of [a, b].entries()) {
    let isAnswered = false;
    const answer = replica.call("PATCH", path, bodies[n]).finally(() => {
      isAnswered = true;
    });
    answers.push(answer);
    await until(async () => isAnswered || (await locker.query(WAITING)).rowCount! > n);
  }
  await locker.query("rollback");
  const all = await Promise.all(answers);
  // On a slow machine the first one has waited for too long before the second one began.
  if (all.some(({ status }) => status === 503)) return changeAtOnce(pair, locker, change);
  for (const { status, text } of all) assert.equal(status, 200, text);
  const { json } = await a.call("GET", read);
  assert.partialDeepStrictEqual(json, expected ?? { ...bodies[0], ...bodies[1] }, path);
}

type Create = (path: string, body: object) => Promise<string>;

function changeOf(operation: string, id: string, table: string, bodies: [object, object]): Change {
  const path = operation.replace(/\{\w+\}/, id);
  return { operation, path, row: row(table, id), bodies };
}

const NAME_AND_LABELS: [object, object] = [{ name: "new" }, { labels }];

async function changesOf({ service, a }: Pair): Promise<Change[]> {
  const create: Create = async (path, body) => {
    const { json, status, text } = await a.call("POST", path, body);
    assert.ok(status < 300, `${path}: ${text}`);
    return json.id;
  };
  const { json: account } = await a.call("GET", "/v1/account");
  const [machine] = (await a.call("GET", "/v1/machines")).json;
  const { member } = await join(service, "dev");
  return [
    ...(await workloadChanges(create)),
    ...(await credentialChanges(create)),
    ...(await accountChanges(create)),
    ...quotaChanges(account.id, member.id),
    changeOf("/v1/members/{memberId}", member.id, "member", [{ name: "new" }, { role: "billing" }]),
    {
      ...changeOf("/v1/machines/{machineId}", machine.id, "replica", [
        { maintenanceNote: "n" },
        { draining: true },
      ]),
      expected: [{ id: machine.id, maintenanceNote: "n", draining: true }],
      read: "/v1/machines",
    },
    {
      ...changeOf("/v1/price-book", "", "", [
        { storage: { volumeRunning: 0.5 } },
        { storage: { volumeStopped: 0.7 } },
      ]),
      row: "price_book",
      expected: { storage: { volumeRunning: 0.5, volumeStopped: 0.7 } },
    },
  ];
}

async function workloadChanges(create: Create): Promise<Change[]> {
  const serverless = { name: "t", imageName: "i", isServerless: true };
  const templateId = await create("/v1/templates", serverless);
  const own = await create("/v1/templates", { name: "own", imageName: "i" });
  const other = await create("/v1/templates", { name: "other", imageName: "i" });
  const endpoint = { templateId, name: "e", workersMax: 0 };
  const endpointId = await create("/v1/endpoints", endpoint);
  const schedule = { endpointId, cron: "0 3 * * *", input: {}, name: "s" };
  const scheduleId = await create("/v1/schedules", schedule);
  const pod = { driver: "simulated", imageName: "i", computeType: "CPU" };
  const podId = await create("/v1/pods", pod);
  const compute = { gpuTypeId: "NVIDIA A40", gpuCountPerPod: 1, podCount: 2 };
  const cluster = { name: "c", type: "TRAINING", templateId: own, compute };
  const clusterId = await create("/v2/clusters", cluster);
  const sandboxId = await create("/v2/sandboxes", { imageName: "i" });
  const volume = { name: "v", size: 10, dataCenterId: "EU-RO-1" };
  const volumeId = await create("/v1/networkvolumes", volume);
  return [
    changeOf("/v1/pods/{podId}", podId, "pod", NAME_AND_LABELS),
    changeOf("/v2/pods/{podId}", podId, "pod", [{ name: "v2" }, { locked: true }]),
    changeOf("/v2/clusters/{clusterId}", clusterId, "cluster", [{ name: "new" }, {}]),
    changeOf("/v2/sandboxes/{sandboxId}", sandboxId, "sandbox", [
      { idleTimeoutSeconds: 700 },
      { maxLifetimeSeconds: 4_000 },
    ]),
    changeOf("/v1/templates/{templateId}", own, "template", NAME_AND_LABELS),
    changeOf("/v2/templates/{templateId}", other, "template", [{ name: "v2" }, { labels }]),
    changeOf("/v1/endpoints/{endpointId}", endpointId, "endpoint", [
      { idleTimeout: 9 },
      { labels },
    ]),
    changeOf("/v2/serverless/{endpointId}", endpointId, "endpoint", [
      { name: "v2" },
      { labels: { a: "v2" } },
    ]),
    changeOf("/v1/schedules/{scheduleId}", scheduleId, "schedule", NAME_AND_LABELS),
    changeOf("/v1/networkvolumes/{networkVolumeId}", volumeId, "network_volume", NAME_AND_LABELS),
    changeOf("/v2/network-volumes/{networkVolumeId}", volumeId, "network_volume", [
      { name: "v2" },
      { size: 20 },
    ]),
  ];
}

async function credentialChanges(create: Create): Promise<Change[]> {
  const s3KeyId = await create("/v1/s3-keys", { name: "k" });
  const auth = { name: "r", username: "u", password: "p" };
  const authId = await create("/v1/containerregistryauth", auth);
  const secretId = await create("/v1/secrets", { name: "s", value: "v" });
  const { publicKey } = newSshKey();
  const sshKeyId = await create("/v1/ssh-keys", { publicKey });
  const keyId = await create("/v1/keys", { name: "k" });
  return [
    changeOf("/v1/s3-keys/{s3KeyId}", s3KeyId, "s3_key", [{ labels }, {}]),
    changeOf("/v1/ssh-keys/{sshKeyId}", sshKeyId, "ssh_key", [{ labels }, {}]),
    changeOf("/v1/containerregistryauth/{containerRegistryAuthId}", authId, "registry_auth", [
      { labels },
      {},
    ]),
    changeOf("/v1/secrets/{secretId}", secretId, "secret", [{ description: "new" }, { labels }]),
    {
      ...changeOf("/v2/account/secrets/{secretId}", secretId, "secret", [
        { description: "v2" },
        { value: "w" },
      ]),
      expected: { description: "v2" },
    },
    changeOf("/v1/keys/{keyId}", keyId, "api_key", NAME_AND_LABELS),
  ];
}

async function accountChanges(create: Create): Promise<Change[]> {
  const accountId = await create("/v1/accounts", { name: "a" });
  const projectId = await create("/v1/projects", { name: "p" });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const reservation = { gpuTypeId: "NVIDIA A40", until };
  const reservationId = await create("/v1/reservations", reservation);
  const budgetId = await create("/v1/budgets", { period: "day", limit: 9_000, name: "b" });
  const channel = { type: "webhook", url: "http://127.0.0.1:9/" };
  const rule = { name: "n", events: ["pod_ended"], channel };
  const ruleId = await create("/v1/notification-rules", rule);
  return [
    changeOf("/v1/accounts/{accountId}", accountId, "account", [
      { name: "new" },
      { limited: false },
    ]),
    {
      ...changeOf("/v1/projects/{projectId}", projectId, "project", [
        { name: "new" },
        { weight: 2 },
      ]),
      expected: { name: "new", share: { weight: 2 } },
    },
    {
      ...changeOf("/v1/accounts/{accountId}/quota", accountId, "account", LIMITS),
      expected: { account: { limits: BOTH_LIMITS } },
    },
    changeOf("/v1/reservations/{reservationId}", reservationId, "reservation", [
      { note: "n" },
      { labels },
    ]),
    changeOf("/v1/budgets/{budgetId}", budgetId, "budget", NAME_AND_LABELS),
    changeOf("/v1/notification-rules/{notificationRuleId}", ruleId, "notification_rule", [
      { name: "new" },
      { enabled: false },
    ]),
  ];
}

const LIMITS: [object, object] = [{ pods: 5 }, { gpus: 6 }];
const BOTH_LIMITS = { pods: 5, gpus: 6 };

function quotaChanges(accountId: string, memberId: string): Change[] {
  return [
    {
      ...changeOf("/v1/quota/member-default", accountId, "account", LIMITS),
      expected: { memberDefault: BOTH_LIMITS },
      read: "/v1/quota",
    },
    {
      ...changeOf("/v1/quota/members/{memberId}", memberId, "account", LIMITS),
      row: row("account", accountId),
      expected: { members: [{ id: memberId, limits: BOTH_LIMITS }] },
      read: "/v1/quota",
    },
  ];
}
