// What the operator does with machines: `freehold machine add`, `drain`, `maintain`, `slice`, `remove` and others.

import type { Command as Program } from "commander";
import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import type { MachineUpdate } from "../../contract/rest-v1/machine/machine-write.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printChange, printDone, printJson, printOne, write } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";
import { deviceLine, reportNoGpus } from "./gpu-devices.ts";
import { addMachineAddition, addMachineSettings } from "./machine-addition.ts";
import { addMachineSlice } from "./machine-slice.ts";

export function addMachineActions(program: Program): void {
  addReading(program);
  addMachineAddition(program);
  addMachineSettings(program);
  addMachineSlice(program);
  addPlanning(program);
  addRemoval(program);
}

/** A subcommand on one machine. */
function onMachine(program: Program, name: string, about: string): Program {
  return program.command(name).description(about).argument("<machine>", "an id or a name");
}

const findMachine = async (service: RunningService, word: string) =>
  (await findItem(service, resources.machine!, word)) as Machine & Record<string, unknown>;

function addReading(program: Program): void {
  const get = onMachine(
    program,
    "get",
    "print all of one machine, or of a cluster and its nodes",
  ).alias("show");
  addCommonOptions(get).action(async (word: string, values: CommonValues) => {
    const service = await serviceFor(values);
    const machine = await findMachine(service, word);
    const machines = await call(service, "GET /v1/machines");
    const nodes = machines.filter(({ cluster }) => cluster === machine.id);
    await printOne(nodes.length > 0 ? [machine, ...nodes] : machine, machine.id, values);
  });
  const gpus = onMachine(program, "gpus", "list the GPUs of a machine, and what holds each");
  addCommonOptions(gpus).action(async (word: string, values: CommonValues) => {
    const { gpuDevices = [] } = await findMachine(await serviceFor(values), word);
    if (values.json) printJson(gpuDevices);
    else if (values.quiet) write(gpuDevices.map(({ uuid }) => `${uuid}\n`).join(""));
    else write(gpuDevices.map((each) => `${deviceLine(each)}\n`).join(""));
    reportNoGpus(gpuDevices, values);
  });
}

interface MaintenanceValues extends CommonValues {
  start?: string;
  end?: string;
  note?: string;
}

function addPlanning(program: Program): void {
  const simple = (name: string, about: string, body: MachineUpdate, done: string) =>
    addCommonOptions(onMachine(program, name, about)).action((word: string, values: CommonValues) =>
      changeMachine(word, body, done, values),
    );
  simple(
    "drain",
    "place nothing new on a machine; workers finish, Pods stay",
    { draining: true },
    "is draining: workers finish, Pods stay",
  );
  simple("undrain", "end a drain", { draining: false }, "takes new workloads");
  const maintain = onMachine(
    program,
    "maintain",
    "plan when a machine is worked on, or end the plan",
  )
    .optionsGroup("Options:")
    .option(
      "--start <instant>",
      "nothing new is placed there from then on; without it no plan is left",
    )
    .option("--end <instant>", "when it is over (default: open)")
    .option("--note <text>", "what users read about it");
  addExamples(maintain, "freehold machine maintain own --start 2027-01-31T18:00:00Z");
  addCommonOptions(maintain).action((word: string, values: MaintenanceValues) => {
    const { start = null, end = null, note = null } = values;
    const body = { maintenanceStart: start, maintenanceEnd: end, maintenanceNote: note };
    const done = start === null ? "has no maintenance planned" : `is in maintenance from ${start}`;
    return changeMachine(word, body, done, values);
  });
  simple(
    "trust",
    "accept the host key that the SSH server of a machine has now",
    { hostKey: null },
    "is trusted with the host key that it shows next",
  );
}

/** Changes a machine, and prints that it `done`. */
async function changeMachine(
  word: string,
  body: MachineUpdate,
  done: string,
  values: CommonValues,
): Promise<void> {
  const service = await serviceFor(values);
  const params = { machineId: (await findMachine(service, word)).id };
  const machine = await call(service, "PATCH /v1/machines/{machineId}", { params, body });
  printChange(`machine ${machine.id} ${done}`, machine, values);
}

function addRemoval(program: Program): void {
  const clean = onMachine(
    program,
    "clean",
    "remove what another installation has on a machine: containers and networks",
  )
    .argument("<installation>", "its id, as `freehold machine list` shows it")
    .optionsGroup("Options:")
    .option("--volumes", "its volumes too, with their data");
  addCommonOptions(clean).action(cleanMachine);
  const remove = onMachine(program, "remove", "remove a machine that was added")
    .optionsGroup("Options:")
    .option("--force", "with the Pods and volumes that are there");
  addCommonOptions(remove).action(removeMachine);
}

async function cleanMachine(
  word: string,
  installationId: string,
  values: CommonValues & { volumes?: boolean },
): Promise<void> {
  const service = await serviceFor(values);
  const { id: machineId } = await findMachine(service, word);
  await call(service, "DELETE /v1/machines/{machineId}/installations/{installationId}", {
    params: { machineId, installationId },
    query: { volumes: values.volumes === true },
  });
  const sentence = `what installation ${installationId} has on machine ${machineId} is being removed`;
  printDone(sentence, { id: machineId, installationId }, values);
}

async function removeMachine(
  word: string,
  values: CommonValues & { force?: boolean },
): Promise<void> {
  const service = await serviceFor(values);
  const machine = await findMachine(service, word);
  const params = { machineId: machine.id };
  const force = values.force === true;
  await call(service, "DELETE /v1/machines/{machineId}", { params, query: { force } });
  const parts = [
    `removed machine ${[machine.id, machine.name, machine.address].filter(Boolean).join(" ")}`,
    ...(force ? ["its Pods, workers and network volumes are deleted"] : []),
    leftOn(machine),
  ];
  printDone(parts.join("; "), { id: machine.id }, values);
}

function leftOn({ id, online, seenAt }: Machine): string {
  if (online) return "Freehold's containers and networks there are being removed";
  if (seenAt === undefined) return "it was never reached";
  return `it does not answer, so its containers stay, with the label freehold.machine=${id}`;
}
