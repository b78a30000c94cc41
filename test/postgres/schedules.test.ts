// Two replicas that both believe that they lead fire every due run of a schedule once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultEndpoint } from "../../src/domain/endpoint/endpoint.ts";
import { workloadOf } from "../../src/domain/endpoint/release.ts";
import { defaultTemplate } from "../../src/domain/template/template.ts";
import { createSchedule } from "../../src/flows/schedule/schedule.ts";
import { scheduleLoop } from "../../src/loops/jobs/schedule.ts";
import { insertEndpoint } from "../../src/store/endpoint/endpoint.ts";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import { runsOf } from "../../src/store/schedule/run.ts";
import { missing } from "./database.ts";
import { accountOn, type Replica, templateOn, twoReplicas } from "./replicas.ts";

const START = Date.parse("2027-01-30T10:00:00Z");
const MINUTE_MS = 60_000;
const SCHEDULES = 10;
const INSTANTS = 12;

function* jobIds(): Tx<{ id: string }[]> {
  return yield* rows("select id from job");
}

test("two replicas submit each due run exactly once", { skip: missing }, async (t) => {
  const both = await twoReplicas(t);
  const account = await accountOn(both[0]);
  const endpointId = await endpointOn(both[0], account.id);
  let now = START;
  const clock = { now: () => now, ticks: () => now, after: () => () => {} };
  const outcomes: string[] = [];
  const metrics = { recordScheduleRun: (outcome: string) => void outcomes.push(outcome) };
  const loops = both.map((each) => scheduleLoop({ ...each, clock, tracer: null, metrics }));
  const ids: string[] = [];
  for (let n = 0; n < SCHEDULES; n++) {
    const { id } = await createSchedule(
      { ...both[n % 2]!, clock },
      {
        accountId: account.id,
        endpointId,
        name: `s${n}`,
        labels: {},
        input: "{}",
        spec: {
          cron: "* * * * *",
          timeZone: "UTC",
          webhook: null,
          policy: {},
          missedRunPolicy: "RUN_ALL",
          concurrencyPolicy: "ALLOW",
          catchUpWindowMs: 3_600_000,
        },
        paused: false,
        once: null,
      },
    );
    ids.push(id);
  }
  for (let n = 1; n <= INSTANTS; n++) {
    now = START + n * MINUTE_MS;
    await Promise.all(loops.flatMap((loop) => [loop.run(), loop.run()]));
  }
  const expected = Array.from({ length: INSTANTS }, (_, n) => START + (INSTANTS - n) * MINUTE_MS);
  const named: string[] = [];
  for (const id of ids) {
    const runs = await both[0].store.read(runsOf, id);
    assert.deepEqual(
      runs.map(({ scheduledAt }) => scheduledAt),
      expected,
    );
    named.push(...runs.map(({ jobId }) => jobId!));
  }
  const jobs = (await both[0].store.read(jobIds)).map(({ id }) => id);
  assert.deepEqual(jobs.sort(), named.sort());
  assert.deepEqual(outcomes, Array(SCHEDULES * INSTANTS).fill("SUBMITTED"));
});

async function endpointOn(replica: Replica, accountId: string): Promise<string> {
  const template = await templateOn(replica, accountId);
  const endpoint = defaultEndpoint("e", accountId, template.id, START);
  const workload = workloadOf({ ...defaultTemplate("e"), isServerless: true });
  const release = { endpointId: "e", version: 1, workload, reason: "test", createdAt: START };
  await replica.store.write(insertEndpoint, endpoint, release);
  return endpoint.id;
}
