// Tests of the container driver on Podman: the rules of every driver, and what differs from Docker.

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { driverConformance } from "../../../test/conformance/drivers/driver-conformance.ts";
import {
  conformanceHarness,
  type DockerHarness,
  dockerHarness,
} from "../../../test/fixtures/docker/docker-driver-harness.ts";
import { PodmanEngine, podmanSkipReason } from "../../../test/fixtures/docker/podman.ts";

suite("containers of Podman", { skip: podmanSkipReason }, () => {
  const engine = new PodmanEngine();
  before(() => engine.start());
  after(() => engine.dispose());

  driverConformance("podman", () => conformanceHarness(engine.host), 2);

  const on = (name: string, prove: (harness: DockerHarness) => Promise<void>) =>
    test(name, async () => {
      const harness = await dockerHarness(engine.host);
      try {
        await prove(harness);
      } finally {
        await harness.dispose();
      }
    });

  on("a log is read from any line on, although its times are whole seconds", async (harness) => {
    await harness.driver.start(
      harness.shell("w1", "n=0; while [ $n -lt 40 ]; do n=$((n+1)); echo line $n; done"),
    );
    await harness.untilEnded("w1");
    const all = await harness.driver.logs("w1", 1_000);
    assert.equal(all.length, 40);
    assert.equal(new Set(all.map(({ mark }) => mark)).size, 40);
    assert.deepEqual(await harness.driver.logs("w1", 5), all.slice(-5));
    const since = await harness.driver.logs("w1", 1_000, all[0]!.at! + 0.5);
    assert.deepEqual(since, all);
  });
});
