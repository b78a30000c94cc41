// `freehold top`: how busy machines, their GPUs and Pods are now.

import { parseArgs } from "node:util";
import { UsageError } from "../../../base/refusal.ts";
import type { Machine } from "../../../contract/rest-v1/machine/machine.ts";
import type { MachineMetrics } from "../../../contract/rest-v1/observe/metrics.ts";
import type { Service } from "../../client/running-service.ts";
import { ask, Refused } from "../../client/service-request.ts";
import { serviceFor } from "../../context/choose-service.ts";
import { readOptions, serviceOptions, serviceUsage } from "../../options.ts";
import { printJson, write } from "../../output/answer.ts";
import { type Column, tableText } from "../../output/table.ts";

export const usage = `  freehold top    the load of machines and their GPUs, for the operator, and of your Pods

  --json          the newest samples as JSON
${serviceUsage}`;

const options = { ...serviceOptions, json: { type: "boolean", default: false } } as const;

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

interface Load {
  cpuPercent: number;
  memoryPercent: number;
}

interface PodRow {
  id: string;
  name: string;
  runtime: { container: Load | null; gpus: { gpuUtilPercent: number }[] | null } | null;
}

export async function run(args: string[]): Promise<undefined> {
  const { values, positionals } = readOptions("top", options, () =>
    parseArgs({ args, options, allowPositionals: true }),
  );
  if (positionals.length > 0) throw new UsageError("top takes no argument");
  const service = await serviceFor(values);
  const [machines, pods] = await Promise.all([readMachines(service), readPods(service)]);
  if (values.json) return printJson({ machines: machines.map(jsonOf), pods }) as undefined;
  const gpus = machines.flatMap(gpuRows);
  const tables = [
    ...(machines.length > 0 ? [textOf(machines, MACHINE_COLUMNS)] : []),
    ...(gpus.length > 0 ? [textOf(gpus, GPU_COLUMNS)] : []),
    textOf(pods, POD_COLUMNS),
  ];
  write(tables.join("\n"));
}

/** The machines that are measured; none for a key that is not the operator's. */
async function readMachines(service: Service): Promise<MachineRow[]> {
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

async function readPods(service: Service): Promise<PodRow[]> {
  const { data, errors } = (await ask(service, "POST", "/graphql", { query: QUERY })) as {
    data: { myself: { pods: PodRow[] } } | null;
    errors?: { message: string }[];
  };
  if (!data) throw new Error(errors?.[0]?.message ?? "GraphQL answers no data");
  return data.myself.pods.filter(({ runtime }) => runtime !== null);
}

const jsonOf = ({ id, name, sample }: MachineRow) => ({ id, name, latest: sample });

const gpuRows = ({ name: machine, sample, devices }: MachineRow): GpuRow[] =>
  (sample?.gpus ?? []).map((load) => ({
    ...{ machine, load, device: devices.find(({ number }) => number === load.index) },
  }));

const textOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) =>
  tableText(rows, columns, process.stdout);

const percent = (value: number | null | undefined) =>
  value === null || value === undefined ? null : `${Math.round(value)} %`;

const gigabytes = (bytes: number) => (bytes / 1_073_741_824).toFixed(1);

function memoryOf({ memoryUsedBytes, memoryBytes }: Sample): string | null {
  if (memoryUsedBytes === null) return null;
  const used = gigabytes(memoryUsedBytes);
  return memoryBytes === null ? `${used} GiB` : `${used} of ${gigabytes(memoryBytes)} GiB`;
}

const MACHINE_COLUMNS: readonly Column<MachineRow>[] = [
  ["MACHINE", ({ name }) => name],
  ["CPU", ({ sample }) => percent(sample?.cpuPercent)],
  ["MEMORY", ({ sample }) => sample && memoryOf(sample)],
];

const GPU_COLUMNS: readonly Column<GpuRow>[] = [
  ["GPU", ({ load }) => load.index],
  ["MACHINE", ({ machine }) => machine],
  ["TYPE", ({ device }) => device?.gpuTypeId],
  ["LOAD", ({ load }) => percent(load.gpuUtilPercent)],
  ["MEMORY", ({ load }) => percent(load.memoryUtilPercent)],
  ["TEMPERATURE", ({ load }) => (load.temperatureC === null ? null : `${load.temperatureC} C`)],
  ["POWER", ({ load }) => (load.powerWatts === null ? null : `${Math.round(load.powerWatts)} W`)],
  ["CLOCK", ({ load }) => (load.clockMhz === null ? null : `${Math.round(load.clockMhz)} MHz`)],
  ["HELD BY", ({ device }) => device?.workloads.join(", ")],
];

const POD_COLUMNS: readonly Column<PodRow>[] = [
  ["POD", ({ id }) => id],
  ["NAME", ({ name }) => name],
  ["CPU", ({ runtime }) => percent(runtime?.container?.cpuPercent)],
  ["MEMORY", ({ runtime }) => percent(runtime?.container?.memoryPercent)],
  [
    "GPUS",
    ({ runtime }) => (runtime?.gpus ?? []).map((gpu) => percent(gpu.gpuUtilPercent)).join(", "),
  ],
];
