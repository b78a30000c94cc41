// A test of a container that prints without end: its stored log, its followers and their memory are
// bounded.

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { archivedLog } from "../../src/store/log/archived-log.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { readEvents } from "../fixtures/event-stream.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const KEPT_FILES = 3;
const MOST_DISK = KEPT_FILES * 10_000_000 + 2_000_000;
/** What lines that are waiting may take, twice over for two followers. */
const MOST_HELD = 30_000_000;
/** Much more than waits for a follower. */
const ENOUGH_PRINTED = 10_000_000;

test("a flood of lines stays within bounds, and a slow follower gets the number of lost lines", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, { env: { FREEHOLD_MACHINE: machine } });
  const script =
    'line="$(printf "%0100d" 0)"; block=; for n in {1..1000}; do block+="$line"$\'\\n\'; done; ' +
    'while :; do for n in {1..10}; do printf %s "$block"; done; sleep 0.1; done';
  const { json: pod } = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    vcpuCount: 2,
    volumeInGb: 0,
    containerDiskInGb: 1,
    imageName: service.shellImage,
    dockerEntrypoint: ["bash", "-c"],
    dockerStartCmd: [script],
  });
  await until(podsOf(service).reached, pod.id);
  const [container] = service.containers();
  const logPath = service.docker("inspect", "--format", "{{.LogPath}}", container!);
  const before = held();

  const url = `${service.origin}/v1/pods/${pod.id}/logs?follow=true&type=container&tail=1`;
  const slow = await readEvents(url, { authorization: service.key });
  assert.ok(await slow.next());
  const printed = await printedThrough(url, service.key);
  assert.ok(printed >= ENOUGH_PRINTED);
  const events = await slow.until(({ data }) => data.lost !== undefined);
  const { lost, text } = events.at(-1)!.data;
  assert.ok(lost > 0);
  assert.match(text, new RegExp(`^${lost} lines are missing here`));
  assert.match((await slow.next())!.data.text, /^0{100}$/);
  assert.ok(held() - before < MOST_HELD, `${held() - before} bytes more are held`);
  slow.close();

  const tail = await service.call("GET", `/v1/pods/${pod.id}/logs?type=container&tail=5000`);
  assert.equal(tail.json.length, 5_000);
  await until(async () => filesOf(logPath).length === KEPT_FILES || null, pod.id);
  assert.ok(diskOf(logPath) < MOST_DISK, `${diskOf(logPath)} bytes of logs`);

  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  await until(podsOf(service).unreached, pod.id);
  await until(async () => service.containers().length === 0 || null, pod.id);
  const lines = await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${pod.id}/logs?tail=5000`);
    return json.some(({ text }: { text: string }) => text === "the container is stopped")
      ? json
      : null;
  }, pod.id);
  assert.ok(lines.filter(({ text }: { text: string }) => /^0{100}$/.test(text)).length > 4_900);
  const pieces = await service.service.store.read(archivedLog, pod.id);
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  assert.ok(bytes < 5_000_000, `${bytes} bytes are kept`);
});

/** Reads as fast as can be until so many bytes have gone by, what a quick reader lost counted in. */
async function printedThrough(url: string, key: string): Promise<number> {
  const quick = await readEvents(url, { authorization: key });
  let bytes = 0;
  while (bytes < ENOUGH_PRINTED) {
    const { data } = (await quick.next())!;
    bytes += (data.lost ?? 1) * 101;
    if (data.lost === undefined) continue;
    await pauseMs(1);
  }
  quick.close();
  return bytes;
}

/** Bytes of memory that cannot be given back. */
function held(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function filesOf(logPath: string): string[] {
  const folder = path.dirname(logPath);
  const ours = readdirSync(folder).filter((each) => each.startsWith(path.basename(logPath)));
  return ours.map((each) => path.join(folder, each));
}

function diskOf(logPath: string): number {
  return filesOf(logPath).reduce((sum, file) => sum + statSync(file).size, 0);
}
