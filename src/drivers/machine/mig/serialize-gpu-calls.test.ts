// Tests of readings of GPUs while the MIG layout of one changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../../base/clock.ts";
import type { Scenario } from "../../simulated/gpu/scenario.ts";
import { scenarioMachine } from "../../simulated/gpu/scenario-machine.ts";
import { gpuReader } from "../gpu-reader.ts";
import type { Run } from "../run.ts";
import { serializeGpuCalls } from "./serialize-gpu-calls.ts";
import { migSetter } from "./set-mig-layout.ts";

test("a reading that begins during a change waits for its end", async () => {
  const scenario: Scenario = {
    gpus: [{ name: "NVIDIA A100-SXM4-80GB", memoryMb: 81_920, uuid: "GPU-a", mig: "on" }],
  };
  const { run: answer } = scenarioMachine(scenario, new VirtualClock(0));
  const reading = { faults: null as null | Promise<string[]> };
  const run: Run = (program, args, ...rest) => {
    if (args[1] === "-cgi")
      reading.faults = readGpus().then(({ gpuFaults }) => gpuFaults.map(({ code }) => code));
    return answer(program, args, ...rest);
  };
  const { readGpus, setMigLayout } = serializeGpuCalls({
    readGpus: gpuReader(answer).read,
    setMigLayout: migSetter(run),
  });
  assert.equal((await readGpus()).gpuFaults[0]!.code, "mig_mode");
  const result = await setMigLayout("GPU-a", ["7g.80gb"], {
    earlier: null,
    begin: async () => true,
  });
  assert.equal(result?.outcome, "set");
  assert.deepEqual(await reading.faults, []);
});
