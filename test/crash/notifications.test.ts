// Notifications survive SIGKILL: every event of a commit that was answered is announced, and a message that was
// being sent is sent again under its id.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { seed } from "./seed.ts";

const KILLS = 3;
const KEYS_PER_KILL = 4;
const protocol = JSON.stringify({ notificationGatherMs: 300, notificationIntervalMs: 100 });

test("no event is lost when the service is killed, and a repeated message has its id", async (t) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-notifications-"));
  t.after(() => rmSync(dataFolder, { recursive: true }));
  const { key } = await seed(dataFolder, 0);
  // It does not answer the first message, which is then in flight when the service is killed.
  const receiver = await startReceiver(t, [null, 200]);
  const port = await freePort();
  const start = async () => {
    const flags = ["--drivers", "simulated", "--protocol", protocol];
    const service = new Service({ dataFolder, port, flags });
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const create = async (route: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, await answer.clone().text());
    return ((await answer.json()) as { id: string }).id;
  };
  let service = await start();
  t.after(() => service.kill());
  const channel = { type: "webhook", url: receiver.url };
  await create("/v1/notification-rules", { name: "keys", events: ["key_created"], channel });
  const created = [await create("/v1/keys", { name: "first" })];
  await receiver.sent(1);
  for (let kill = 0; kill < KILLS; kill++) {
    for (let n = 0; n < KEYS_PER_KILL; n++)
      created.push(await create("/v1/keys", { name: `${n}` }));
    await service.kill();
    service = await start();
  }
  const messages = () =>
    receiver.received.map(({ headers, body }) => ({
      message: headers["webhook-id"],
      keys: JSON.parse(body).data.events.map((event: { resource: { id: string } }) => {
        return event.resource.id;
      }) as string[],
    }));
  await until(() => new Set(messages().flatMap(({ keys }) => keys)).size === created.length);
  // An event is in one message, however often that was sent.
  const byMessage = new Map(messages().map(({ message, keys }) => [message, keys]));
  assert.deepEqual([...byMessage.values()].flat().sort(), [...created].sort());
  const [first] = messages();
  assert.ok(messages().filter(({ message }) => message === first!.message).length >= 2);
});
