// The container driver on a real engine: the laws of every driver, and what only containers have.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as realTime } from "node:timers/promises";
import type { EndCause } from "../../domain/worker/end-cause.ts";
import { StartRefused } from "../driver.ts";
import { driverLaws } from "../driver-laws.ts";
import type { Conduct } from "../law-bench.ts";
import { type DockerBench, dockerBench } from "./docker-bench.testing.ts";
import { missing } from "./engine.testing.ts";

/** The first process of a container hears no signal that it does not ask for. */
const CONDUCT: Record<Conduct, string> = {
  runs: "trap 'exit 0' TERM; echo begun; sleep 600 & wait",
  "ends with 3": "echo begun; exit 3",
  "ignores SIGTERM": "trap '' TERM; echo begun; while :; do sleep 600; done",
};

suite("containers", { skip: missing }, () => {
  driverLaws("docker", async () => {
    const bench = await dockerBench();
    return {
      driver: bench.driver,
      workload: (id, conduct) => bench.shell(id, CONDUCT[conduct]),
      settle: (promise) => promise,
      wait: () => realTime(30),
      dispose: bench.dispose,
    };
  });

  const on = (name: string, prove: (bench: DockerBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await dockerBench();
      try {
        await prove(bench);
      } finally {
        await bench.dispose();
      }
    });

  on(
    "several first starts at once find out together whether disks can be limited",
    async (bench) => {
      const ids = ["one", "two", "three", "four"];
      const limited = (id: string) => bench.shell(id, CONDUCT.runs, { resources: { diskGb: 1 } });
      await Promise.all(ids.map((id) => bench.driver.start(limited(id))));
      const running = (await bench.driver.list()).filter(({ state }) => state === "running");
      assert.deepEqual(running.map(({ id }) => id).sort(), ids.toSorted());
    },
  );

  on("what cannot start says why, and leaves nothing", async (bench) => {
    const refused = (id: string, more: object, why: EndCause) =>
      assert.rejects(
        bench.driver.start(bench.shell(id, "", more)),
        (error) => error instanceof StartRefused && error.why === why,
      );
    await refused("away", { image: "127.0.0.1:1/nothing:1" }, "registry_away");
    await refused("name", { image: "Not An Image" }, "image_unusable");
    await refused("program", { entrypoint: ["/no/such"] }, "entrypoint_not_found");
    await refused("folder", { entrypoint: ["/etc"] }, "entrypoint_not_executable");
    assert.deepEqual(await bench.driver.list(), []);
    const mine = `label=freehold.installation=${bench.installation}`;
    assert.equal(bench.docker("ps", "--all", "--quiet", "--filter", mine), "");
    const told: string[] = [];
    const away = bench.shell("away", "", { image: "127.0.0.1:1/nothing:1" });
    await assert.rejects(bench.driver.start(away, (line) => told.push(line)));
    assert.match(told.join("\n"), /pulling the image 127.0.0.1:1\/nothing:1.*the pull failed/s);
  });

  on("what uses more memory than it may is seen as that", async (bench) => {
    const hungry = bench.shell("w1", "tail /dev/zero", { resources: { memoryMb: 24, vcpu: 1 } });
    await bench.driver.start({ ...hungry, command: ["tail", "/dev/zero"] });
    assert.equal((await bench.ended("w1")).oom, true);
  });

  on("a container has few rights, limits, and a log that cannot fill the disk", async (bench) => {
    await bench.driver.start(
      bench.shell("w1", "sleep 600", { resources: { memoryMb: 64, vcpu: 1.5 } }),
    );
    const name = `freehold-${bench.installation}-w1`;
    const config = JSON.parse(bench.docker("inspect", "--format", "{{json .HostConfig}}", name));
    assert.partialDeepStrictEqual(config, {
      Memory: 64 * 1_048_576,
      NanoCpus: 1.5e9,
      PidsLimit: 8_192,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
      LogConfig: { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } },
    });
  });

  on("a volume outlives its containers and goes when it is told to", async (bench) => {
    const volume = { kind: "pod" as const, name: "v1" };
    const volumes = [{ ...volume, mountPath: "/workspace" }];
    await bench.driver.start(
      bench.shell("w1", "echo kept > /workspace/f; echo gone > /g", { volumes }),
    );
    await bench.ended("w1");
    await assert.rejects(bench.driver.removeVolume(volume));
    await bench.driver.start(bench.shell("w1", "cat /workspace/f; cat /g", { volumes }));
    await bench.ended("w1");
    const printed = (await bench.printed("w1")).join("\n");
    assert.match(printed, /kept/);
    assert.match(printed, /No such file/);
    await bench.driver.remove("w1");
    await bench.driver.removeVolume(volume);
    await bench.driver.removeVolume(volume);
  });

  on("another driver finds what runs, and starts it no second time", async (bench) => {
    const workload = bench.shell("w1", "echo begun; sleep 600");
    await bench.driver.start(workload);
    const before = await bench.see("w1");
    const driver = await bench.reopen();
    await driver.start(workload);
    assert.deepEqual(await driver.list(), [before]);
  });
});
