// What a container printed, on a real engine, in the moment in which it is kept and not yet gone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { ContainerLogs } from "./container-logs.ts";
import { dockerBench } from "./docker-bench.testing.ts";
import { missing } from "./engine.testing.ts";
import { Engine } from "./engine.ts";
import { shelfInMemory } from "./log-shelf.testing.ts";

test("a line is shown once while its container is about to go, and after", {
  skip: missing,
}, async (t) => {
  const bench = await dockerBench();
  t.after(() => bench.dispose());
  const label = `freehold.installation=${bench.installation}`;
  const run = (script: string) =>
    bench.docker("run", "--name", container, "--label", label, bench.image, "sh", "-c", script);
  const container = `logs-${bench.installation}`;
  const engine = new Engine({ host: bench.host }, systemClock);
  const logs = new ContainerLogs(engine, shelfInMemory(), () => container);
  const seen = async () => {
    const last = (await logs.last("w1", 100)).map(({ text }) => text);
    const followed: string[] = [];
    for await (const lines of logs.follow("w1", null, new AbortController().signal)) {
      followed.push(...lines.map(({ text }) => text));
    }
    assert.deepEqual(followed, last);
    return last;
  };

  run("echo one; echo two");
  assert.deepEqual(await seen(), ["one", "two"]);
  await logs.keep("w1");
  assert.deepEqual(await seen(), ["one", "two"]);
  await logs.keep("w1"); // whoever removed it was cut short, and begins anew
  bench.docker("rm", container);
  assert.deepEqual(await seen(), ["one", "two"]);
  run("echo three");
  assert.deepEqual(await seen(), ["one", "two", "three"]);
});
