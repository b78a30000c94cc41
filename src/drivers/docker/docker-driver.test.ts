// The container driver on a real engine: the laws of every driver, and what only containers have.

import { suite } from "node:test";
import { setTimeout as realTime } from "node:timers/promises";
import { type Conduct, driverLaws } from "../driver-laws.ts";
import { dockerBench } from "./docker-bench.testing.ts";
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
});
