// Tests of a container's log on a real engine, before and after it is archived.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dockerHarness } from "../../../../test/fixtures/docker/docker-driver-harness.ts";
import { skipReason } from "../../../../test/fixtures/docker/engine.ts";
import { piecesInMemory } from "../../../../test/fixtures/docker/log-archive.ts";
import { systemClock } from "../../../base/clock.ts";
import { Engine } from "../engine.ts";
import { ContainerLogs } from "./container-logs.ts";

test("a line is returned once while its log is archived and its container not yet removed", {
  skip: skipReason,
}, async (t) => {
  const harness = await dockerHarness();
  t.after(() => harness.dispose());
  const label = `freehold.installation=${harness.installation}`;
  const run = (script: string) =>
    harness.docker("run", "--name", container, "--label", label, harness.image, "sh", "-c", script);
  const container = `logs-${harness.installation}`;
  const engine = new Engine({ host: harness.host }, systemClock);
  const logs = new ContainerLogs(engine, systemClock, piecesInMemory(), () => container);
  const readLog = async () => {
    const last = (await logs.last("w1", 100)).map(({ text }) => text);
    const followed: string[] = [];
    for await (const lines of logs.follow("w1", null, new AbortController().signal)) {
      followed.push(...lines.map(({ text }) => text));
    }
    assert.deepEqual(followed, last);
    return last;
  };

  run("echo one; echo two");
  assert.deepEqual(await readLog(), ["one", "two"]);
  await logs.archive("w1");
  assert.deepEqual(await readLog(), ["one", "two"]);
  await logs.archive("w1"); // an interrupted removal is repeated
  harness.docker("rm", container);
  assert.deepEqual(await readLog(), ["one", "two"]);
  run("echo three");
  assert.deepEqual(await readLog(), ["one", "two", "three"]);
});
