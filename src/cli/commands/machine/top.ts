// `freehold top`: how busy machines, their GPUs and Pods are now.

import type { Machine } from "../../../contract/rest-v1/machine/machine.ts";
import type { MachineMetrics } from "../../../contract/rest-v1/observe/metrics.ts";
import type { RunningService } from "../../client/running-service.ts";
import { ask, Refused } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { printJson, reportNone, write } from "../../output/answer.ts";
import { type TableColumn, tableText } from "../../output/table.ts";
import { addJsonOptions, type CommonValues } from "../../program/common-options.ts";
import { addNotes, defineCommand } from "../../program/define-command.ts";

export const { usage, run } = defineCommand("top", (program) => {
  addNotes(
    program,
    "Prints the newest samples: of machines and their GPUs for the operator, and of your Pods.",
  );
  addJsonOptions(program).action(printLoad);
});

type Sample = NonNullable<MachineMetrics["latest"]>;
type GpuDevice = NonNullable<Machine["gpuDevices"]>[number];

interface MachineRow {
  id: string;
  name: string;
  /** Null if it was not measured. */
  sample: Sample | null;
  devices: readonly GpuDevice[];
}

interface GpuRow {
  machine: string;
  load: Sample["gpus"][number];
  device: GpuDevice | undefined;
}

type GpuErrors = NonNullable<GpuDevice["errors"]>[number];

interface Load {
  cpuPercent: number;
  memoryPercent: number;
}

interface PodRow {
  id: string;
  name: string;
  runtime: { container: Load | null; gpus: { gpuUtilPercent: number }[] | null } | null;
}

/** A Pod with what the operator sees of its GPUs; nothing for others. */
interface PodLine extends PodRow {
  clocks: (number | null)[];
  errors: GpuErrors[];
}

async function printLoad(values: CommonValues): Promise<void> {
  const service = await serviceFor(values);
  const [machines, pods] = await Promise.all([readMachines(service), readPods(service)]);
  const podLines = pods.map((pod) => podLine(pod, machines));
  if (values.json) {
    const answer = { machines: machines.map(machineJson), pods: podLines.map(podJson) };
    return printJson(answer);
  }
  const gpus = machines.flatMap(gpuRows);
  const tables = [
    ...(machines.length > 0 ? [textOf(machines, MACHINE_COLUMNS)] : []),
    ...(gpus.length > 0 ? [textOf(gpus, GPU_COLUMNS)] : []),
    textOf(podLines, POD_COLUMNS),
  ];
  write(tables.join("\n"));
  reportNone(podLines, "running Pods", values);
}

/** The machines that are measured; none for a key that is not the operator's. */
async function readMachines(service: RunningService): Promise<MachineRow[]> {
  const machines = (await ask(service, "GET", "/v1/machines")) as Machine[];
  const read = async ({ id, name = id, gpuDevices: devices = [] }: Machine) => {
    const path = `/v1/machines/${encodeURIComponent(id)}/metrics`;
    const { latest } = (await ask(service, "GET", path)) as MachineMetrics;
    return { id, name, sample: latest, devices };
  };
  return Promise.all(machines.filter(({ online }) => online).map(read)).catch((error) => {
    if (error instanceof Refused && error.status === 403) return [];
    throw error;
  });
}

const QUERY = `{ myself { pods { id name desiredStatus
  runtime { container { cpuPercent memoryPercent } gpus { gpuUtilPercent } } } } }`;

async function readPods(service: RunningService): Promise<PodRow[]> {
  const { data, errors } = (await ask(service, "POST", "/graphql", { query: QUERY })) as {
    data: { myself: { pods: PodRow[] } } | null;
    errors?: { message: string }[];
  };
  if (!data) throw new Error(errors?.[0]?.message ?? "GraphQL answers no data");
  return data.myself.pods.filter(({ runtime }) => runtime !== null);
}

const machineJson = ({ id, name, sample, devices }: MachineRow) => {
  const gpus = devices.map(({ number, uuid, gpuTypeId = null, workloads, errors = [] }) => {
    return { number, uuid, gpuTypeId, workloads, errors };
  });
  return { id, name, latest: sample, gpus };
};

const podJson = ({ clocks: gpuClocksMhz, errors: gpuErrors, ...pod }: PodLine) => {
  return { ...pod, gpuClocksMhz, gpuErrors };
};

const gpuRows = ({ name: machine, sample, devices }: MachineRow): GpuRow[] =>
  (sample?.gpus ?? []).map((load) => ({
    machine,
    load,
    device: devices.find(({ number }) => number === load.index),
  }));

function podLine(pod: PodRow, machines: readonly MachineRow[]): PodLine {
  const devices = machines.flatMap(({ devices: all, sample }) =>
    all.map((device) => ({ device, sample })),
  );
  const clocks = devices
    .filter(({ device }) => device.workloads.includes(pod.id))
    .flatMap(({ device, sample }) => {
      const load = sample?.gpus.find(({ index }) => index === device.number);
      return load ? [load.clockMhz] : [];
    });
  const errors = devices
    .flatMap(({ device }) => device.errors ?? [])
    .filter(({ workload }) => workload === pod.id);
  return { ...pod, clocks, errors };
}

/** For example "3 × xid_31, xid_13", whatever had the GPU. */
function errorsText(errors: readonly GpuErrors[]): string {
  const codes = Map.groupBy(errors, ({ code }) => code);
  return [...codes]
    .map(([code, each]) => {
      const count = each.reduce((sum, error) => sum + error.count, 0);
      return count === 1 ? code : `${count} × ${code}`;
    })
    .join(", ");
}

const megahertz = (value: number | null) => (value === null ? null : `${Math.round(value)} MHz`);

const textOf = <Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]) =>
  tableText(rows, columns, process.stdout);

const percent = (value: number | null | undefined) =>
  value === null || value === undefined ? null : `${Math.round(value)}%`;

const gigabytes = (bytes: number) => (bytes / 1_073_741_824).toFixed(1);

function memoryOf({ memoryUsedBytes, memoryBytes }: Sample): string | null {
  if (memoryUsedBytes === null) return null;
  const used = gigabytes(memoryUsedBytes);
  return memoryBytes === null ? `${used} GiB` : `${used} of ${gigabytes(memoryBytes)} GiB`;
}

const MACHINE_COLUMNS: readonly TableColumn<MachineRow>[] = [
  ["MACHINE", ({ name }) => name],
  ["CPU", ({ sample }) => percent(sample?.cpuPercent)],
  ["MEMORY", ({ sample }) => sample && memoryOf(sample)],
];

const GPU_COLUMNS: readonly TableColumn<GpuRow>[] = [
  ["GPU", ({ load }) => load.index],
  ["MACHINE", ({ machine }) => machine],
  ["TYPE", ({ device }) => device?.gpuTypeId],
  ["LOAD", ({ load }) => percent(load.gpuUtilPercent)],
  ["MEMORY", ({ load }) => percent(load.memoryUtilPercent)],
  ["TEMPERATURE", ({ load }) => (load.temperatureC === null ? null : `${load.temperatureC} C`)],
  ["POWER", ({ load }) => (load.powerWatts === null ? null : `${Math.round(load.powerWatts)} W`)],
  ["CLOCK", ({ load }) => megahertz(load.clockMhz)],
  ["ERRORS", ({ device }) => errorsText(device?.errors ?? [])],
  ["HELD BY", ({ device }) => device?.workloads.join(", ")],
];

const POD_COLUMNS: readonly TableColumn<PodLine>[] = [
  ["POD", ({ id }) => id],
  ["NAME", ({ name }) => name],
  ["CPU", ({ runtime }) => percent(runtime?.container?.cpuPercent)],
  ["MEMORY", ({ runtime }) => percent(runtime?.container?.memoryPercent)],
  [
    "GPUS",
    ({ runtime }) => (runtime?.gpus ?? []).map((gpu) => percent(gpu.gpuUtilPercent)).join(", "),
  ],
  ["CLOCK", ({ clocks }) => clocks.map((clock) => megahertz(clock) ?? "?").join(", ")],
  ["ERRORS", ({ errors }) => errorsText(errors)],
];
