// `freehold gpu`: lists the GPUs of all machines, takes one out of placement, and tests one.

import { parseArgs } from "node:util";
import { pause, systemClock } from "../../../base/clock.ts";
import { exitCodes, Refusal, UsageError } from "../../../base/refusal.ts";
import type { Machine } from "../../../contract/rest-v1/machine/machine.ts";
import type { RunningService } from "../../client/running-service.ts";
import { ask } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { readOptions, serviceOptions, serviceUsage } from "../../options.ts";

export const usage = `  freehold gpu list
  freehold gpu cordon UUID      nothing new is placed on it; what runs there stays
  freehold gpu uncordon UUID    ends a cordon, and a quarantine
  freehold gpu test UUID        tests one that nothing uses, and waits for the result; the exit code is 6
                                unless it passes
  freehold gpu cancel UUID      ends a test, or a change of its MIG layout that has not begun

  --reason TEXT     of a cordon; everyone who waits for the GPU can read it
  --json            the answer as JSON
${serviceUsage}`;

const options = {
  ...serviceOptions,
  reason: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

const SUBCOMMANDS = ["list", "cordon", "uncordon", "test", "cancel"];

export async function run(args: string[]): Promise<number | undefined> {
  const { values, positionals } = readOptions("gpu", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  const [what = "list", uuid, ...more] = positionals;
  if (!SUBCOMMANDS.includes(what)) {
    throw new UsageError(`"${what}" is not a subcommand of gpu; it has ${SUBCOMMANDS.join(", ")}`);
  }
  if (more.length > 0 || (what === "list") !== (uuid === undefined)) {
    throw new UsageError(`gpu ${what} takes ${what === "list" ? "no argument" : "one UUID"}`);
  }
  if (values.reason !== undefined && what !== "cordon") {
    throw new UsageError(`gpu ${what} takes no --reason`);
  }
  const service = await serviceFor(values);
  const machines = (await ask(service, "GET", "/v1/machines")) as Machine[];
  if (uuid === undefined) return print(machines, values.json);
  if (what === "test") {
    const machine = await change(service, machines, uuid, { testGpus: [uuid] });
    return testResult(service, machine, uuid, values.json);
  }
  if (what === "cancel") {
    const changed = await change(service, machines, uuid, { cancelledGpuRequests: [uuid] });
    return print([changed], values.json, uuid);
  }
  const reason = what === "cordon" ? (values.reason ?? "") : null;
  const changed = await change(service, machines, uuid, { cordonedGpus: { [uuid]: reason } });
  return print([changed], values.json, uuid);
}

const POLL_MS = 500;

/** A machine that is offline runs the test once it is back; the command waits as long. */
async function testResult(
  service: RunningService,
  machine: Machine,
  uuid: string,
  asJson: boolean,
): Promise<number> {
  let machines = [machine];
  const test = () =>
    machines.flatMap(({ gpuDevices = [] }) => gpuDevices).find((each) => each.uuid === uuid)?.test;
  const reportWait = waitReporter();
  while (test()?.outcome === "pending") {
    reportWait(uuid, machines[0], test());
    await pause(systemClock, POLL_MS);
    const all = (await ask(service, "GET", "/v1/machines")) as Machine[];
    machines = all.filter(({ id }) => id === machine.id);
  }
  print(machines, asJson, uuid);
  return test()?.outcome === "passed" ? 0 : exitCodes.unsuccessful;
}

/** Says once on the standard error what a request for an offline machine waits for. */
export function waitReporter() {
  let last = "";
  return (uuid: string, machine: Machine | undefined, request: Device["test" | "migChange"]) => {
    const { text = "", canBeCancelled } = request ?? {};
    if (machine?.online !== false || text === last) return;
    last = text;
    const next = canBeCancelled ? `; \`freehold gpu cancel ${uuid}\` cancels it` : "";
    process.stderr.write(`${uuid}: ${text}${next}\n`);
  };
}

async function change(
  service: RunningService,
  machines: readonly Machine[],
  uuid: string,
  body: object,
): Promise<Machine> {
  const machine = machines.find(({ gpuDevices = [] }) =>
    gpuDevices.some((each) => each.uuid === uuid),
  );
  if (!machine) {
    const next = "`freehold gpu list` prints those that there are";
    throw new Refusal(`no machine has the GPU ${uuid}; ${next}`, exitCodes.notFound);
  }
  const path = `/v1/machines/${encodeURIComponent(machine.id)}`;
  return (await ask(service, "PATCH", path, body)) as Machine;
}

const NO_GPUS =
  "No GPUs found; simulated ones are not listed. `freehold help gpu` shows the subcommands\n";

function print(machines: readonly Machine[], asJson: boolean, uuid?: string): undefined {
  const devices = machines.flatMap(({ id, gpuDevices = [] }) =>
    gpuDevices
      .filter((each) => uuid === undefined || each.uuid === uuid)
      .map((each) => ({ machine: id, ...each })),
  );
  const text = devices.map(({ machine, ...each }) => `${machine}  ${deviceLine(each)}\n`).join("");
  process.stdout.write(asJson ? `${JSON.stringify(devices, null, 2)}\n` : text);
  if (devices.length === 0 && !asJson) process.stderr.write(NO_GPUS);
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
