// Commands in one sandbox through two replicas keep it in use as long as one of them runs, and no longer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair, type Tools } from "./pair.ts";

const IDLE_MS = 20_000;

test("commands through two replicas hold a sandbox until the last of them ends", {
  skip: missing,
}, async (t) => {
  const { a, b } = await startPair(t, { drivers: "simulated" });
  const limits = { idleTimeoutSeconds: IDLE_MS / 1_000 };
  const { json: created } = await a.call("POST", "/v2/sandboxes", { imageName: "i", ...limits });
  const path = `/v2/sandboxes/${created.id}`;
  const read = async () => (await a.call("GET", path)).json;
  await until(async () => (await read()).state === "RUNNING");
  const exec = async (through: Tools, command: string, timeoutSeconds = 50) => {
    const body = { command: ["sh", "-c", command], timeoutSeconds };
    const { json, text } = await through.call("POST", `${path}/exec`, body);
    assert.equal(json.error, null, text);
    return json.exitCode;
  };
  const untilFile = (name: string) =>
    `touch /tmp/${name}.begun; until test -e /tmp/${name}; do sleep 0.1; done`;
  const begun = (name: string) =>
    until(async () => {
      const body = { command: ["cat", `/tmp/${name}.begun`] };
      return (await a.call("POST", `${path}/exec`, body)).json.exitCode === 0;
    });
  const idleMs = async () => {
    const { idleExpiresAt, lastActivityAt } = await read();
    return Date.parse(idleExpiresAt) - Date.parse(lastActivityAt);
  };
  const [first, second] = [exec(a, untilFile("one"), 50), exec(b, untilFile("two"), 40)];
  await begun("one");
  await begun("two");
  assert.ok((await idleMs()) > IDLE_MS);
  await exec(b, "touch /tmp/one");
  await first;
  assert.ok((await idleMs()) > IDLE_MS, "the other command runs on");
  await exec(a, "touch /tmp/two");
  await second;
  assert.equal(await idleMs(), IDLE_MS);
});
