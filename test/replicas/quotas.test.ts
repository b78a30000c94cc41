// Tests of quotas with two replicas on one store: creators and starts at once never pass a ceiling.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { missing } from "../postgres/database.ts";
import { startPair, type Tools } from "./pair.ts";

const CREATORS = 50;
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 512, memoryInGb: 999, diskInGb: 9_000 }) };
const POD = { driver: "simulated", imageName: "i", computeType: "CPU", volumeInGb: 0 };
/** The most Pods of each member, of the project of both, and of the account. */
const EACH = 2;
const TOGETHER = 3;
const ALL = 12;

test("50 creators on two replicas never pass a ceiling", { skip: missing }, async (t) => {
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const { id } = (await a.call("GET", "/v1/account")).json;
  const members = [];
  for (const role of ["dev", "admin"]) members.push(await join(service, role, role));
  // The third creates with a key of the account, which only the account's ceiling limits.
  const keys = [...members.map(({ key }) => key), service.key];
  const as = (n: number): [Tools, { authorization: string }] => [
    n % 2 === 0 ? a : b,
    { authorization: `Bearer ${keys[n % 3]}` },
  ];
  await a.call("PATCH", "/v1/quota/member-default", { pods: EACH });
  const memberIds = members.map(({ member }) => member.id);
  await b.call("POST", "/v1/projects", { name: "p", memberIds, limits: { pods: TOGETHER } });
  await b.call("PATCH", `/v1/accounts/${id}/quota`, { pods: ALL });
  const create = (n: number) => {
    const [replica, headers] = as(n);
    const isSandbox = n % 5 === 4;
    return isSandbox
      ? replica.call("POST", "/v2/sandboxes", { imageName: "i" }, headers)
      : replica.call("POST", "/v1/pods", POD, headers);
  };
  const holds = async () => {
    const { account, projects, members: by } = (await a.call("GET", "/v1/quota")).json;
    const used = by.map((member: { used: { pods: number } }) => member.used.pods);
    assert.ok(account.used.pods <= ALL, `${account.used.pods} of ${ALL}`);
    assert.ok(Math.max(...used) <= EACH, `${used} of ${EACH}`);
    const { pods } = projects[0].used;
    assert.ok(pods <= TOGETHER, `${pods} of ${TOGETHER}`);
    return account.used.pods as number;
  };
  const answers = await Promise.all(Array.from({ length: CREATORS }, (_, n) => create(n)));
  const created = answers.filter(({ status }) => status === 201);
  for (const { status, text } of answers) {
    if (status !== 201) assert.match(text, /of \d+ running Pods, and this adds 1/);
  }
  assert.equal(created.length, ALL);
  assert.equal(await holds(), ALL);

  // Starts race with creators for the room that stops leave.
  const pods: { id: string }[] = (await a.call("GET", "/v1/pods")).json;
  await Promise.all(pods.map((pod) => a.call("POST", `/v1/pods/${pod.id}/stop`)));
  const starts = pods.map((pod, n) => as(n)[0].call("POST", `/v1/pods/${pod.id}/start`));
  const creations = Array.from({ length: 10 }, (_, n) => create(n));
  await Promise.all([...starts, ...creations]);
  await holds();
});
