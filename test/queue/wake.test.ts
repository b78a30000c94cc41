// One wake-up per job goes to one poll: it must not end with a poll that cannot use it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { wantEnd } from "../../src/store/worker/worker.ts";
import { held } from "../held.ts";
import { startHouse } from "../house.ts";

test("a draining worker's held poll does not swallow another's wake-up", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const leaving = await house.makeWorker(endpoint);
  const staying = await house.makeWorker(endpoint);
  const first = leaving.call("job-take", "?job_in_progress=0");
  await held(house.call);
  // It holds a job, so that it drains and is not given up at once.
  const busy = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await first).json.id, busy.json.id);
  const aside = leaving.call("job-take", "?job_in_progress=1");
  await held(house.call);
  await house.house.store.write(wantEnd, leaving.id, "drain", "the test wants it", Date.now());
  const poll = staying.call("job-take", "?job_in_progress=0");
  await held(house.call);
  const run = await house.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } });
  assert.equal((await poll).json.id, run.json.id);
  await leaving.call(`job-done/${busy.json.id}`, "", '{"output":1}');
  await aside;
});

test("a poll that hung up hands its wake-up on", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const gone = await house.makeWorker(endpoint);
  const here = await house.makeWorker(endpoint);
  const hangUp = new AbortController();
  const abandoned = gone.call("job-take", "", undefined, hangUp.signal).catch(() => {});
  await held(house.call);
  const poll = here.call("job-take", "?job_in_progress=0");
  await held(house.call);
  hangUp.abort();
  await abandoned;
  const run = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await poll).json.id, run.json.id);
});
