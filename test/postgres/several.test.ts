// Calls of one statement that share a round trip, which then run as one statement.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { finishHeldJob } from "../../src/transactions/job/finish.ts";
import { Fixture } from "../conformance/store/fixture.ts";
import { freshDatabase, missing } from "./database.ts";

const options = { skip: missing };

async function open(t: Parameters<typeof freshDatabase>[0]): Promise<Fixture> {
  const store = await openPostgres(await freshDatabase(t));
  t.after(() => store.close());
  const fixture = new Fixture(store);
  await fixture.prepare();
  return fixture;
}

test("each job of a shared statement has its own texts and numbers", options, async (t) => {
  const fixture = await open(t);
  const texts = ['{"a":"b\\\\"}', "\0 and \u{10FFFF}0", "{NULL}", "NULL", "\u{1F600}é", "", ",'\""];
  const jobs = texts.map((text, n) =>
    fixture.newJob({
      input: { inline: text },
      webhook: n % 2 === 0 ? null : text,
      priority: n - 3,
      keepMs: 2 ** 40 + n,
    }),
  );
  await Promise.all(jobs.map((job) => fixture.submit(job)));
  for (const { id, input, webhook, priority, keepMs } of jobs) {
    const stored = await fixture.job(id);
    assert.deepEqual([stored.webhook, stored.priority, stored.keepMs], [webhook, priority, keepMs]);
    const text = await fixture.value("select input from job where id = ?", id);
    assert.deepEqual({ inline: text }, input);
  }
});

test("claims of one batch take the queues of their endpoints in order", options, async (t) => {
  const fixture = await open(t);
  await fixture.endpoint("f");
  for (const id of ["w2", "stopping"]) await fixture.worker(id);
  await fixture.worker("x", "f");
  await fixture.store.write(function* () {
    yield { sql: "update worker set taking = 0 where id = 'stopping'", params: [], rows: false };
  });
  const [low, high] = [await fixture.submit(), await fixture.submit({ priority: 1 })];
  const other = await fixture.submit({ endpointId: "f" });
  const claims = [
    fixture.claim(1, "stopping"),
    fixture.claim(1, "w"),
    fixture.claim(1, "x", "f"),
    fixture.claim(1, "w2"),
    fixture.claim(1, "w"),
    fixture.claim(1, "x", "f"),
  ];
  assert.deepEqual(await Promise.all(claims), [[], [high], [other], [low], [], []]);
  assert.deepEqual(
    [await fixture.value("select worker_id from job where id = ?", high)].concat(
      await fixture.value("select worker_id from job where id = ?", low),
    ),
    ["w", "w2"],
  );
});

test("of the results of one batch only those of holders count", options, async (t) => {
  const fixture = await open(t);
  const { store } = fixture;
  await fixture.worker("w2");
  const ids = await fixture.submitAll(3, {});
  await fixture.claim(3);
  const post = (id: string, by: string, output: string) =>
    store.write(finishHeldJob, fixture.result(id, by, null, output));
  const posts = [
    post(ids[0]!, "w2", "1"),
    post(ids[1]!, "w", "2"),
    post("unknown", "w", "3"),
    post(ids[1]!, "w", "4"),
    post(ids[2]!, "w", "5"),
  ];
  assert.deepEqual(await Promise.all(posts), [false, true, false, false, true]);
  const outputs = await Promise.all(
    ids.map((id) => fixture.value("select output from job where id = ?", id)),
  );
  assert.deepEqual(outputs, [null, "2", "5"]);
  assert.equal(await fixture.value("select served from worker where id = 'w'"), 2);
});
