// `freehold gpus devices`, `cordon`, `uncordon`, `test` and `cancel`: the GPUs of machines one by one, for the operator.

import type { Command as Program } from "commander";
import { pause, systemClock } from "../../base/clock.ts";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import type { MachineUpdate } from "../../contract/rest-v1/machine/machine-write.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printJson, reportNone, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";

export function addGpuDevices(program: Program): void {
  const devices = program
    .command("devices")
    .description("list the GPUs of machines one by one, and what holds each, for the operator");
  addCommonOptions(devices).action(async (values: CommonValues) => {
    print(await call(await serviceFor(values), "GET /v1/machines"), values);
  });
  const cordon = addressed(program, "cordon", "place nothing new on a GPU; what runs there stays")
    .optionsGroup("Options:")
    .option("--reason <text>", "everyone who waits for the GPU can read it");
  addCommonOptions(cordon).action((word: string, values: CommonValues & { reason?: string }) =>
    changeAndPrint(word, (uuid) => ({ cordonedGpus: { [uuid]: values.reason ?? "" } }), values),
  );
  const uncordon = addressed(program, "uncordon", "end a cordon, or a quarantine");
  addCommonOptions(uncordon).action((word: string, values: CommonValues) =>
    changeAndPrint(word, (uuid) => ({ cordonedGpus: { [uuid]: null } }), values),
  );
  const test = addressed(
    program,
    "test",
    "test a GPU that nothing uses, and wait; the exit code is 6 unless it passes",
  );
  addCommonOptions(test).action(testGpu);
  const cancel = addressed(
    program,
    "cancel",
    "end a test, or a change of the MIG layout that has not begun",
  );
  addCommonOptions(cancel).action((word: string, values: CommonValues) =>
    changeAndPrint(word, (uuid) => ({ cancelledGpuRequests: [uuid] }), values),
  );
}

const addressed = (program: Program, name: string, about: string): Program =>
  program
    .command(name)
    .description(about)
    .argument("<uuid>", "of a GPU; `freehold gpus devices` lists them");

async function changeAndPrint(
  word: string,
  bodyFor: (uuid: string) => MachineUpdate,
  values: CommonValues,
): Promise<void> {
  const { machine, uuid } = await change(await serviceFor(values), word, bodyFor);
  print([machine], values, uuid);
}

/** A machine that is offline runs the test once it is back; the command waits as long. */
async function testGpu(word: string, values: CommonValues): Promise<void> {
  const service = await serviceFor(values);
  const { machine, uuid } = await change(service, word, (each) => ({ testGpus: [each] }));
  let machines = [machine];
  const test = () =>
    machines.flatMap(({ gpuDevices = [] }) => gpuDevices).find((each) => each.uuid === uuid)?.test;
  const reportWait = waitReporter();
  while (test()?.outcome === "pending") {
    reportWait(uuid, machines[0], test());
    await pause(systemClock, POLL_MS);
    const all = await call(service, "GET /v1/machines");
    machines = all.filter(({ id }) => id === machine.id);
  }
  print(machines, values, uuid);
  if (test()?.outcome !== "passed") process.exitCode = exitCodes.unsuccessful;
}

const POLL_MS = 500;

/** Says once on the standard error what a request for an offline machine waits for. */
export function waitReporter() {
  let last = "";
  return (uuid: string, machine: Machine | undefined, request: Device["test" | "migChange"]) => {
    const { text = "", canBeCancelled } = request ?? {};
    if (machine?.online !== false || text === last) return;
    last = text;
    const next = canBeCancelled ? `; \`freehold gpus cancel ${uuid}\` cancels it` : "";
    process.stderr.write(`${uuid}: ${text}${next}\n`);
  };
}

/** "GPU-" and eight digits; a shorter beginning is refused, even if only one GPU has it now. */
const MIN_BEGINNING = 12;

/** Changes the GPU with this UUID, or the only one whose UUID begins so, and resolves to its machine afterwards. */
async function change(
  service: RunningService,
  word: string,
  bodyFor: (uuid: string) => MachineUpdate,
): Promise<{ machine: Machine; uuid: string }> {
  const machines = await call(service, "GET /v1/machines");
  const gpus = machines.flatMap(({ id, gpuDevices = [] }) =>
    gpuDevices.map(({ uuid }) => ({ machineId: id, uuid })),
  );
  const byUuid = gpus.filter(({ uuid }) => uuid === word);
  const byBeginning =
    word.length < MIN_BEGINNING ? [] : gpus.filter((gpu) => gpu.uuid.startsWith(word));
  const [gpu, ...more] = byUuid.length > 0 ? byUuid : byBeginning;
  if (!gpu) {
    const next = "`freehold gpus devices` lists those that there are";
    throw new Refusal(`no machine has the GPU ${word}; ${next}`, exitCodes.notFound);
  }
  if (more.length > 0)
    throw new UsageError(`${more.length + 1} GPUs have a UUID that begins with "${word}"`);
  const { machineId, uuid } = gpu;
  const params = { machineId };
  const body = bodyFor(uuid);
  return { machine: await call(service, "PATCH /v1/machines/{machineId}", { params, body }), uuid };
}

export const reportNoGpus = (devices: readonly unknown[], values: CommonValues): void =>
  reportNone(devices, "GPUs", values, "; simulated ones are not listed");

function print(machines: readonly Machine[], values: CommonValues, uuid?: string): void {
  const devices = machines.flatMap(({ id, gpuDevices = [] }) =>
    gpuDevices
      .filter((each) => uuid === undefined || each.uuid === uuid)
      .map((each) => ({ machine: id, ...each })),
  );
  if (values.json) printJson(devices);
  else if (values.quiet) write(devices.map((each) => `${each.uuid}\n`).join(""));
  else write(devices.map(({ machine, ...each }) => `${machine}  ${deviceLine(each)}\n`).join(""));
  reportNoGpus(devices, values);
}

type Device = NonNullable<Machine["gpuDevices"]>[number];

/** For example "GPU 1  GPU-0000…  NVIDIA A40  cordoned: fan noise; abc123". */
export function deviceLine(device: Device): string {
  const { number, uuid, gpuTypeId = "", state, cordonReason, workloads, shares } = device;
  const fault = device.quarantine ?? device.fault;
  const reason = fault ? `${fault.reason}; ${fault.recommendation}` : cordonReason;
  const text = reason ? `${state}: ${reason}` : wordOf(state);
  const tested = device.test?.text
    ? `test ${wordOf(device.test.outcome)}: ${device.test.text}`
    : "";
  const divided = shares
    ? `${shares.count} ${shares.mps ? "MPS " : ""}shares of ${shares.memoryInGb} GB, ${shares.held} in use`
    : "";
  const { outcome = "set", text: layoutText = "" } = device.migChange ?? {};
  const refused = outcome === "set" ? "" : `MIG layout ${outcome}: ${layoutText}`;
  const details = [text, divided, ...workloads, tested, refused]
    .filter((part) => part !== "")
    .join("; ");
  const name = device.slice ? `  GPU ${number}` : `GPU ${number}`;
  const parts = [name, uuid, gpuTypeId, details];
  return parts.filter((part) => part !== "").join("  ");
}

const wordOf = (outcome: string) => outcome.replace("_", " ");
