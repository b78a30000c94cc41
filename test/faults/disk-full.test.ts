// A service whose data folder is on a small disk of its own, which fills up.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const skip = findSkipReason();
if (skip && process.env.CI) throw new Error(skip);

function findSkipReason(): string | false {
  if (process.env.FREEHOLD_TEST_STORE === "postgres") return "it tests SQLite";
  if (process.platform !== "linux") return "only Linux has tmpfs";
  return process.getuid?.() === 0 ? false : "only root can mount a small disk";
}

const INPUT = { input: { text: "x".repeat(400_000) } };

function smallDisk(t: TestContext): string {
  const disk = mkdtempSync(path.join(tmpdir(), "freehold-small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=200m,mode=700", "none", disk]);
  addCleanup(t, () => {
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true });
  });
  return path.join(disk, "data");
}

/** Submits jobs until one is refused for lack of disk; returns the ids of the jobs that were accepted. */
async function fill(service: TestService, endpoint: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { status, json } = await service.call("POST", `/v2/${endpoint}/run`, INPUT);
    if (status === 200) ids.push(json.id);
    else if (status === 507) return ids;
    else assert.equal(json.code, "store_unavailable", JSON.stringify(json));
  }
}

const disk = async (service: TestService) => (await service.call("GET", "/readyz")).json.disk;

test("on a full disk new jobs are refused; cancels, results, purges and deletions work", {
  skip,
}, async (t) => {
  const service = await startService(t, { dataFolder: smallDisk(t) });
  const [live, purged] = [await service.makeEndpoint(), await service.makeEndpoint()];
  const worker = await service.makeWorker(live);
  // Enough changes for the service to set its reserve aside.
  for (let n = 0; n < 300; n++) await service.call("POST", `/v2/${live}/run`, { input: { n } });
  const taken = (await worker.call("job-take")).json;
  assert.equal(await disk(service), undefined);

  const ids = await fill(service, purged);
  const refused = await service.call("POST", `/v2/${purged}/runsync`, INPUT);
  assert.deepEqual([refused.status, refused.json.code], [507, "disk_full"]);
  assert.match(await disk(service), /^full: new jobs are refused/);

  const done = await worker.call(`job-done/${taken.id}`, "", JSON.stringify({ output: "done" }));
  assert.equal(done.status, 200, done.text);
  assert.equal((await service.call("GET", `/v2/${live}/status/${taken.id}`)).json.output, "done");
  const canceled = await service.call("POST", `/v2/${purged}/cancel/${ids[0]}`);
  assert.equal(canceled.json.status, "CANCELLED");
  const purge = await service.call("POST", `/v2/${purged}/purge-queue`);
  assert.equal(purge.json.removed, ids.length - 1, purge.text);
  assert.equal((await service.call("DELETE", `/v1/endpoints/${purged}`)).status, 204);

  // Every job that was acknowledged before is still there.
  const { json } = await service.call("GET", `/v2/${live}/health`);
  assert.deepEqual([json.jobs.inQueue, json.jobs.completed], [299, 1]);
});

test("a disk that another program filled takes jobs again once it has room", {
  skip,
}, async (t) => {
  const folder = smallDisk(t);
  const service = await startService(t, { dataFolder: folder });
  const endpoint = await service.makeEndpoint();
  const ballast = path.join(folder, "..", "ballast");
  assert.throws(() => writeFileSync(ballast, Buffer.alloc(300 * 2 ** 20)), { code: "ENOSPC" });
  await fill(service, endpoint);
  rmSync(ballast);
  await until(async () => (await disk(service)) === undefined || null, "");
  const { status } = await service.call("POST", `/v2/${endpoint}/run`, INPUT);
  assert.equal(status, 200);
});
