// Tests of the container driver on a real engine: the rules of every driver, and those of containers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { suite, test } from "node:test";
import { driverConformance } from "../../../test/conformance/drivers/driver-conformance.ts";
import {
  conformanceHarness,
  type DockerHarness,
  dockerHarness,
  SCRIPTS,
} from "../../../test/fixtures/docker/docker-driver-harness.ts";
import { skipReason } from "../../../test/fixtures/docker/engine.ts";
import { until } from "../../../test/fixtures/until.ts";
import type { EndCause } from "../../domain/container/end-cause.ts";
import { StartRefused } from "../driver.ts";

suite("containers", { skip: skipReason }, () => {
  driverConformance("docker", conformanceHarness);

  const on = (name: string, prove: (harness: DockerHarness) => Promise<void>) =>
    test(name, async () => {
      const harness = await dockerHarness();
      try {
        await prove(harness);
      } finally {
        await harness.dispose();
      }
    });

  on("several first starts at once test together whether disks can be limited", async (harness) => {
    const ids = ["one", "two", "three", "four"];
    const limited = (id: string) => harness.shell(id, SCRIPTS.runs, { resources: { diskGb: 1 } });
    await Promise.all(ids.map((id) => harness.driver.start(limited(id))));
    const running = (await harness.driver.list()).filter(({ state }) => state === "running");
    assert.deepEqual(running.map(({ id }) => id).sort(), ids.toSorted());
  });

  on("a start that is refused has a cause and leaves nothing", async (harness) => {
    const refused = (id: string, more: object, why: EndCause) =>
      assert.rejects(
        harness.driver.start(harness.shell(id, "", more)),
        (error) => error instanceof StartRefused && error.why === why,
      );
    await refused("away", { image: "127.0.0.1:1/nothing:1" }, "registry_away");
    await refused("name", { image: "Not An Image" }, "image_unusable");
    await refused("program", { entrypoint: ["/no/such"] }, "entrypoint_not_found");
    await refused("folder", { entrypoint: ["/etc"] }, "entrypoint_not_executable");
    assert.deepEqual(await harness.driver.list(), []);
    const mine = `label=freehold.installation=${harness.installation}`;
    assert.equal(harness.docker("ps", "--all", "--quiet", "--filter", mine), "");
    const reports: string[] = [];
    const away = harness.shell("away", "", { image: "127.0.0.1:1/nothing:1" });
    await assert.rejects(harness.driver.start(away, (line) => reports.push(line ?? "")));
    assert.match(reports.join("\n"), /pulling the image 127.0.0.1:1\/nothing:1.*the pull failed/s);
  });

  on("a container that exceeds its memory limit is observed as out of memory", async (harness) => {
    const hungry = harness.shell("w1", "tail /dev/zero", { resources: { memoryMb: 24, vcpu: 1 } });
    await harness.driver.start({ ...hungry, command: ["tail", "/dev/zero"] });
    assert.equal((await harness.untilEnded("w1")).oom, true);
  });

  on(
    "a child that is killed for memory is not the end of a container that ends well",
    async (harness) => {
      const resources = { memoryMb: 24, vcpu: 1 };
      await harness.driver.start(harness.shell("w1", "tail /dev/zero; exit 0", { resources }));
      const { exitCode, oom, childOom } = await harness.untilEnded("w1");
      assert.deepEqual([exitCode, oom, childOom], [0, undefined, true]);
    },
  );

  on("a container has few capabilities, resource limits and a bounded log", async (harness) => {
    await harness.driver.start(
      harness.shell("w1", "sleep 600", { resources: { memoryMb: 64, vcpu: 1.5 } }),
    );
    const name = `freehold-${harness.installation}-w1`;
    const config = JSON.parse(harness.docker("inspect", "--format", "{{json .HostConfig}}", name));
    assert.partialDeepStrictEqual(config, {
      Memory: 64 * 1_048_576,
      NanoCpus: 1.5e9,
      PidsLimit: 8_192,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
      LogConfig: { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } },
    });
  });

  on("a volume outlives its containers until it is removed", async (harness) => {
    const volume = { kind: "pod" as const, name: "v1" };
    const volumes = [{ ...volume, mountPath: "/workspace" }];
    await harness.driver.start(
      harness.shell("w1", "echo kept > /workspace/f; echo gone > /g", { volumes }),
    );
    await harness.untilEnded("w1");
    await assert.rejects(harness.driver.removeVolume(volume));
    await harness.driver.start(harness.shell("w1", "cat /workspace/f; cat /g", { volumes }));
    await harness.untilEnded("w1");
    const printed = (await harness.logLines("w1")).join("\n");
    assert.match(printed, /kept/);
    assert.match(printed, /No such file/);
    await harness.driver.remove("w1");
    await harness.driver.removeVolume(volume);
    await harness.driver.removeVolume(volume);
  });

  on("a workload starts again although its last container cannot be removed", async (harness) => {
    await harness.driver.start(harness.shell("w1", "exit 3"));
    await harness.untilEnded("w1");
    const name = `freehold-${harness.installation}-w1`;
    const file = `${harness.docker("inspect", "--format", "{{.GraphDriver.Data.UpperDir}}", name)}/f`;
    writeFileSync(file, "");
    execFileSync("chattr", ["+i", file]);
    const mine = `label=freehold.installation=${harness.installation}`;
    const count = () =>
      harness.docker("ps", "--all", "--quiet", "--filter", mine).split("\n").length;
    try {
      await harness.driver.start(harness.shell("w1", "sleep 600"));
      assert.equal((await harness.observe("w1"))?.state, "running");
      assert.equal(count(), 2);
    } finally {
      execFileSync("chattr", ["-i", file]);
    }
    await harness.reopen();
    await until(() => count() === 1);
    assert.equal((await harness.observe("w1"))?.state, "running");
  });

  on("a second driver finds a running workload and does not start it again", async (harness) => {
    const workload = harness.shell("w1", "echo started; sleep 600");
    await harness.driver.start(workload);
    const before = await harness.observe("w1");
    const driver = await harness.reopen();
    await driver.start(workload);
    assert.deepEqual(await driver.list(), [before]);
  });
});
