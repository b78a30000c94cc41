// Conformance of the list of jobs: its filters, and that an index answers each of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { anyJob } from "../../../../src/domain/job/job-filter.ts";
import { type JobListing, listJobs } from "../../../../src/store/job/list/list-jobs.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { fill, fillAnalyzed, plansOf } from "./plans.ts";

export const noFilter: Omit<JobListing, "now"> = {
  accountId: "account",
  ownerId: null,
  ...anyJob,
  before: null,
  archived: true,
  limit: 100,
};

const everything = ({ now }: Fixture): JobListing => ({ ...noFilter, now });

const filters: Record<string, Partial<JobListing>> = {
  "no filter": {},
  "an endpoint": { endpointId: "e" },
  "a state that many have": { states: ["COMPLETED"] },
  "a state that few have": { states: ["TIMED_OUT"] },
  failures: { endpointId: "e", states: ["FAILED"] },
  "queued jobs": { states: ["DELAYED", "IN_QUEUE"] },
  "running jobs": { states: ["IN_PROGRESS"] },
  "a worker": { workerId: "rare" },
  "an id": { id: "job-100001" },
  "an error": { error: "number 77" },
  "a worker's errors": { workerId: "rare", error: "at 100%" },
  "a time": { since: 1_800_000_000_000 - 3_600_000, until: 1_800_000_000_000 - 3_000_000 },
};

/** Filters whose pages are read in order, and not sorted from all matches. */
const ordered = ["no filter", "an endpoint", "a state that many have", "failures"];
const SCAN =
  /^SCAN job$|PRIMARY KEY \(rowid>\? AND|^SCAN job USING INDEX sqlite_|Seq Scan on job\b/m;
const SORT = /USE TEMP B-TREE FOR ORDER BY|\bSort\b/;

export function listConformance(open: OpenStore): void {
  searchConformance(open);

  test("an index answers each filter", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.endpoint("f");
    const explain = await fillAnalyzed(fixture);
    for (const [name, filter] of Object.entries(filters)) {
      const listing = listJobs({ ...everything(fixture), ...filter });
      const plans = await fixture.store.read(plansOf, listing, explain);
      assert.ok(plans.length > 0, name);
      for (const plan of plans) {
        assert.doesNotMatch(plan, SCAN, `${name}: ${plan}`);
        if (ordered.includes(name)) assert.doesNotMatch(plan, SORT, `${name}: ${plan}`);
      }
    }
  });

  test("each filter lists its jobs, the newest first", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    await fixture.endpoint("f");
    await store.write(fill, now);
    const list = async (filter: Partial<JobListing>) => {
      const found = await store.read(listJobs, { ...everything(fixture), limit: 3, ...filter });
      return found.map(({ job }) => Number(job.id.slice(4)) - 100_000);
    };
    assert.deepEqual(await list({}), [20_000, 19_999, 19_998]);
    assert.deepEqual(await list({ endpointId: "f" }), [19_999, 19_997, 19_995]);
    assert.deepEqual(await list({ states: ["FAILED"] }), [20_000, 19_990, 19_980]);
    assert.deepEqual(await list({ states: ["COMPLETED"] }), [19_999, 19_998, 19_997]);
    assert.deepEqual(await list({ workerId: "rare" }), [20_000, 19_900, 19_800]);
    assert.deepEqual(await list({ workerId: "w", states: ["FAILED"] }), [19_990, 19_980, 19_970]);
    assert.deepEqual(await list({ id: "job-100007" }), [7]);
    assert.deepEqual(await list({ id: "job-11999" }), [19_999, 19_998, 19_997]);
    assert.deepEqual(await list({ id: "job-100100", workerId: "w" }), []);
    assert.deepEqual(await list({ error: "NUMBER 7770 at" }), [7_770]);
    assert.deepEqual(await list({ error: "100%", workerId: "rare" }), [20_000, 19_900, 19_800]);
    assert.deepEqual(await list({ error: "1_0%" }), []);
    assert.deepEqual(await list({ error: "!" }), []);
    const since = now - 10_000_000;
    assert.deepEqual(await list({ since, until: since + 2_000 }), [10_001, 10_000]);
    assert.deepEqual(await list({ until: since }), [9_999, 9_998, 9_997]);
    const last = await store.read(listJobs, { ...everything(fixture), limit: 1 });
    assert.deepEqual(
      await list({ before: last[0]!.job.seq, workerId: "rare" }),
      [19_900, 19_800, 19_700],
    );
    assert.deepEqual(await list({ accountId: "other" }), []);
    assert.deepEqual(await list({ since: now + 1 }), []);
  });

  test("live jobs are listed by their state", async (t) => {
    const fixture = await Fixture.set(open, t);
    const [first, second] = [await fixture.submit(), await fixture.submit()];
    await fixture.claim();
    const list = async (states: JobListing["states"]) =>
      (await fixture.store.read(listJobs, { ...everything(fixture), states })).map(
        ({ job }) => job.id,
      );
    assert.deepEqual(await list(["IN_PROGRESS"]), [first]);
    assert.deepEqual(await list(["DELAYED", "IN_QUEUE"]), [second]);
    assert.deepEqual(await list(null), [second, first]);
  });
}

function searchConformance(open: OpenStore): void {
  test("an error is found by any of its words, whatever letters they have", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.finish(id, { error: "ÜBERLAUF in Łódź: Буфер is full" });
    const list = async (error: string) =>
      (await fixture.store.read(listJobs, { ...everything(fixture), error })).map(
        ({ job }) => job.id,
      );
    for (const text of ["ÜBERLAUF", "in Łódź", "Буфер is", "IS FULL"])
      assert.deepEqual(await list(text), [id], text);
  });

  test("an error with the words of a quarantine in other letters is no quarantine", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.finish(id, { error: "Quarantined: by the handler" });
    for (const quarantined of [true, false]) {
      const listed = await fixture.store.read(listJobs, { ...everything(fixture), quarantined });
      assert.equal(listed.length, quarantined ? 0 : 1);
    }
  });
}
