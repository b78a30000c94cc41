// Tests of wake-ups: one job wakes one poll, and the wake-up must not be lost with a poll that
// cannot use it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { requestWorkerEnd } from "../../src/transactions/worker/request-end.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { startService } from "../fixtures/service/service.ts";

test("a draining worker's held poll does not consume another worker's wake-up", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const leaving = await service.makeWorker(endpoint);
  const staying = await service.makeWorker(endpoint);
  const first = leaving.call("job-take", "?job_in_progress=0");
  await pollsArrived(service.call);
  // It holds a job, so that it drains instead of ending at once.
  const busy = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await first).json.id, busy.json.id);
  const aside = leaving.call("job-take", "?job_in_progress=1");
  await pollsArrived(service.call);
  await service.service.store.write(
    requestWorkerEnd,
    leaving.id,
    "drain",
    "the test wants it",
    Date.now(),
  );
  const poll = staying.call("job-take", "?job_in_progress=0");
  await pollsArrived(service.call);
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: { n: 1 } });
  assert.equal((await poll).json.id, run.json.id);
  await leaving.call(`job-done/${busy.json.id}`, "", '{"output":1}');
  await aside;
});

test("a closed poll passes its wake-up on", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const departed = await service.makeWorker(endpoint);
  const here = await service.makeWorker(endpoint);
  const hangUp = new AbortController();
  const abandoned = departed.call("job-take", "", undefined, hangUp.signal).catch(() => {});
  await pollsArrived(service.call);
  const poll = here.call("job-take", "?job_in_progress=0");
  await pollsArrived(service.call);
  hangUp.abort();
  await abandoned;
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  assert.equal((await poll).json.id, run.json.id);
});
