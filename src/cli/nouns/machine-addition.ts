// `freehold machine add`: adds a machine over SSH or TLS, or a Kubernetes cluster, and waits until it is online or the
// reason why it is not is known. `freehold machine set` changes a cluster with the same options.

import { readFileSync } from "node:fs";
import path from "node:path";
import { Option, type Command as Program } from "commander";
import { pause, systemClock } from "../../base/clock.ts";
import { parseJson } from "../../base/json/parse.ts";
import { Refusal, UsageError } from "../../base/refusal.ts";
import type { Machine } from "../../contract/rest-v1/machine/machine.ts";
import type { MachineCreate, MachineUpdate } from "../../contract/rest-v1/machine/machine-write.ts";
import { call } from "../client/api.ts";
import type { RunningService } from "../client/running-service.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printChange } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples } from "../program/define-command.ts";
import { readFailure } from "../program/json-argument.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";

/** It ends with the next release. */
const EARLIER_NAME = "the earlier name of --simulated-gpus";

interface Values extends CommonValues {
  name?: string;
  identity?: string;
  tls?: string;
  publicIp?: string;
  declare?: string;
  simulatedGpus?: string;
  virtualGpus?: string;
  gpus?: string;
  kubeconfig?: string;
  kubeContext?: string;
  cluster?: string;
  inCluster?: boolean;
}

export function addMachineAddition(program: Program): void {
  const command = program
    .command("add")
    .description("add a machine over SSH or TLS, or the nodes of a Kubernetes cluster")
    .argument("<address>", "ssh://user@host, tcp://host:2376 with TLS, or kubernetes")
    .optionsGroup("Options:")
    .option("--name <name>", "what people call it")
    .option("--public-ip <ip>", "where its Pods' public ports are reached")
    .optionsGroup("How to sign in:")
    .option(
      "--identity <file>",
      "a private key for SSH (default: the service's own keys and agent)",
    )
    .option("--tls <folder>", "with ca.pem, cert.pem and key.pem, for tcp://");
  addClusterOptions(command)
    .option("--in-cluster", "the cluster that the service runs in, as its service account")
    .optionsGroup("What it offers (default: what is detected):")
    .option("--declare <json>", "as FREEHOLD_MACHINE has it")
    .option("--gpus <json>", 'real GPUs that cannot be detected: {"NVIDIA A40": 2}')
    .option("--simulated-gpus <json>", 'simulated GPUs: {"NVIDIA A40": 2}')
    .addOption(new Option("--virtual-gpus <json>", EARLIER_NAME).hideHelp());
  addExamples(
    command,
    "freehold machine add ssh://me@gpu1.example.org --name gpu1",
    "freehold machine add kubernetes --kubeconfig cluster.yaml --name lab",
  );
  addCommonOptions(command).action(add);
}

export function addMachineSettings(program: Program): void {
  const command = program
    .command("set")
    .description("change the name, the credentials or the settings of a Kubernetes cluster")
    .argument("<machine>", "the id or the name of the cluster")
    .optionsGroup("Options:")
    .option("--name <name>", "what people call it");
  addCommonOptions(addClusterOptions(command)).action(change);
}

/** `--context` names a Freehold. */
const addClusterOptions = (command: Program): Program =>
  command
    .optionsGroup("A Kubernetes cluster:")
    .option("--kubeconfig <file>", "with its credentials")
    .option("--kube-context <name>", "a context of the kubeconfig (default: its current one)")
    .option(
      "--cluster <json>",
      'its settings: {"networkVolumes": {"storageClass": "nfs"}, "publicPorts": "LoadBalancer"}',
    );

const LOOK_MS = 300;
const LONGEST_MS = 60_000;

async function add(address: string, values: Values): Promise<void> {
  if (address === "kubernetes" && values.kubeconfig === undefined && !values.inCluster)
    throw new UsageError("machine add kubernetes takes --kubeconfig FILE or --in-cluster");
  const body = bodyOf(address, values);
  const service = await serviceFor(values);
  const machine = await online(service, await call(service, "POST /v1/machines", { body }));
  const state = machine.online ? "is online" : "is added";
  const name = [machine.id, machine.name, machine.address].filter(Boolean).join(" ");
  printChange(`machine ${name} ${state}`, machine, values);
}

async function change(word: string, values: Values): Promise<void> {
  const body = clusterChanges(values);
  const service = await serviceFor(values);
  const { id: machineId } = await findItem(service, resources.machine!, word);
  const params = { machineId };
  const machine = await call(service, "PATCH /v1/machines/{machineId}", { params, body });
  printChange(`cluster ${machineId} is changed`, machine, values);
}

/** The machine once it is online, or after a minute. */
async function online(service: RunningService, added: Machine): Promise<Machine> {
  for (const until = systemClock.ticks() + LONGEST_MS; systemClock.ticks() < until; ) {
    const all = await call(service, "GET /v1/machines");
    const machine = all.find(({ id }) => id === added.id);
    if (!machine || machine.online) return machine ?? added;
    if (machine.trouble) {
      const next = `Saved; retrying. \`freehold machine remove ${added.id}\` removes it.`;
      throw new Refusal(`machine ${added.id}: ${machine.trouble} ${next}`);
    }
    await pause(systemClock, LOOK_MS);
  }
  return added;
}

function bodyOf(address: string, values: Values): MachineCreate {
  const { identity, tls, declare, gpus, publicIp } = values;
  return {
    ...(address !== "kubernetes" && { address }),
    ...(values.inCluster && { inCluster: true }),
    ...clusterFields(values),
    ...(identity !== undefined && { identity: read(identity) }),
    ...(tls !== undefined && { tls: tlsIn(tls) }),
    ...(publicIp !== undefined && { publicIp }),
    ...(declare !== undefined && { declare: parsed("--declare", declare) }),
    ...(gpus !== undefined && { gpus: parsed("--gpus", gpus) }),
    ...simulatedGpusIn(values),
  };
}

function simulatedGpusIn({ simulatedGpus, virtualGpus }: Values) {
  if (virtualGpus !== undefined)
    process.stderr.write(
      "freehold: --virtual-gpus is now --simulated-gpus; the old name ends with the next release\n",
    );
  const text = simulatedGpus ?? virtualGpus;
  if (text === undefined) return {};
  return { simulatedGpus: parsed<Record<string, number>>("--simulated-gpus", text) };
}

function clusterChanges(values: Values): MachineUpdate {
  const changes = clusterFields(values);
  if (Object.keys(changes).length > 0) return changes;
  throw new UsageError("machine set takes --name, --cluster or --kubeconfig");
}

function clusterFields({ name, kubeconfig, kubeContext, cluster }: Values) {
  return {
    ...(name !== undefined && { name }),
    ...(kubeconfig !== undefined && { kubeconfig: read(kubeconfig) }),
    ...(kubeContext !== undefined && { context: kubeContext }),
    ...(cluster !== undefined && {
      cluster: parsed<NonNullable<MachineUpdate["cluster"]>>(
        "--cluster",
        cluster,
        '{"publicPorts": "LoadBalancer"}',
      ),
    }),
  };
}

function tlsIn(folder: string) {
  const file = (name: string) => read(path.join(folder, name));
  return { ca: file("ca.pem"), cert: file("cert.pem"), key: file("key.pem") };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Refusal(readFailure(file, error as Error));
  }
}

function parsed<Value>(option: string, text: string, example = '{"NVIDIA A40": 2}'): Value {
  try {
    return parseJson(text) as Value;
  } catch {
    throw new UsageError(`${option} takes a JSON object such as ${example}`);
  }
}
