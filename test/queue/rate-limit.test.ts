// Limits of a rate are off, but the place where they would be asked is there: before every
// operation, with the operation's name, and a refusal is one that clients know how to wait for.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { systemClock } from "../../src/base/clock.ts";
import { randomIds } from "../../src/base/ids.ts";
import { documented, limits } from "../../src/domain/protocol.ts";
import { BodiesInFlight } from "../../src/edge/http/in-flight.ts";
import { Polls } from "../../src/edge/http/polls.ts";
import { openServer } from "../../src/edge/http/server.ts";
import type { RateLimit } from "../../src/edge/queue/deps.ts";
import { queueRoutes } from "../../src/edge/queue/routes.ts";
import { Directory } from "../../src/flows/directory.ts";
import { OwnCounts } from "../../src/flows/metrics/own.ts";
import { PodKeys } from "../../src/flows/pod/own-key.ts";
import { KnownMachines } from "../../src/flows/replica/known-machines.ts";
import { Neighbours } from "../../src/flows/replica/neighbours.ts";
import { Presence } from "../../src/flows/worker/presence.ts";
import { startHouse, type TestHouse } from "../house.ts";

/** The queue's routes on the house's store, with a limit of our own. */
async function limited({ house }: TestHouse, rateLimit: RateLimit) {
  const { store } = house;
  const clock = systemClock;
  const directory = new Directory({ store, clock, podKeys: new PodKeys("") });
  const machines = new KnownMachines({ machine: "m", drivers: [] });
  const neighbours = new Neighbours({ clock, machines, key: "", look: async () => {} });
  const shared = { directory, neighbours, clock, protocol: documented, polls: new Polls() };
  const listeners = { first: null, upgraders: [] };
  const { app } = openServer({
    ...shared,
    listeners,
    counts: new OwnCounts(),
    log: pino({ level: "silent" }),
  });
  await app.register(
    queueRoutes({
      ...shared,
      store,
      rateLimit,
      ids: randomIds,
      presence: new Presence({ store, clock }),
      inFlight: new BodiesInFlight(limits.inFlightBytes),
    }),
  );
  return app;
}

test("every operation is asked for by its name, and a refusal is 429 with the time to wait", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const asked: string[] = [];
  const app = await limited(house, (_key, _endpoint, operation) => {
    asked.push(operation);
    return { retryAfterS: 7, detail: "1000 of them came within 10 s" };
  });
  const operations = [
    ["POST", "run"],
    ["POST", "runsync"],
    ["GET", "status/x"],
    ["POST", "status-sync/x"],
    ["GET", "stream/x"],
    ["POST", "cancel/x"],
    ["POST", "retry/x"],
    ["POST", "purge-queue"],
    ["GET", "health"],
    ["GET", "requests"],
    ["POST", "openai/v1/chat/completions"],
  ] as const;
  for (const [method, path] of operations) {
    const answer = await app.inject({
      method,
      url: `/v2/${endpoint}/${path}`,
      headers: { authorization: house.key, "content-type": "application/json" },
      ...(method === "POST" && { payload: { input: {} } }),
    });
    assert.equal(answer.statusCode, 429, path);
    assert.equal(answer.headers["retry-after"], "7");
    assert.match(answer.json().error, /1000 of them came within 10 s/);
  }
  assert.deepEqual(asked, [
    "run",
    "runsync",
    "status",
    "status",
    "stream",
    "cancel",
    "retry",
    "purge-queue",
    "health",
    "requests",
    "openai",
  ]);
  const { json } = await house.call("GET", `/v2/${endpoint}/health`);
  assert.equal(json.jobs.inQueue, 0);
});
