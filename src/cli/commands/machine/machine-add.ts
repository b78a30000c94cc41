// `freehold machine add`: adds a machine over SSH or TLS, or a Kubernetes cluster, and waits until it is online or the
// reason why it is not is known. `freehold machine set` changes a cluster with the same options.

import { readFileSync } from "node:fs";
import path from "node:path";
import { pause, systemClock } from "../../../base/clock.ts";
import { parseJson } from "../../../base/json/parse.ts";
import { Refusal, UsageError } from "../../../base/refusal.ts";
import type {
  Machine,
  MachineCreate,
  MachineUpdate,
} from "../../../contract/rest-v1/machine/machine.ts";
import type { RunningService } from "../../client/running-service.ts";
import { ask } from "../../client/service-request.ts";

export const addOptions = {
  name: { type: "string" },
  identity: { type: "string" },
  tls: { type: "string" },
  "public-ip": { type: "string" },
  declare: { type: "string" },
  "simulated-gpus": { type: "string" },
  /** The earlier name, which ends with the next release. */
  "virtual-gpus": { type: "string" },
  gpus: { type: "string" },
  kubeconfig: { type: "string" },
  context: { type: "string" },
  cluster: { type: "string" },
  "in-cluster": { type: "boolean" },
} as const;

export type MachineOptions = {
  [Name in keyof typeof addOptions]?:
    | ((typeof addOptions)[Name]["type"] extends "boolean" ? boolean : string)
    | undefined;
};

const LOOK_MS = 300;
const LONGEST_MS = 60_000;

export async function addMachine(
  service: RunningService,
  address: string | undefined,
  options: MachineOptions,
): Promise<Machine> {
  if (!address)
    throw new UsageError("machine add takes an address: freehold machine add ssh://user@host");
  if (address === "kubernetes" && options.kubeconfig === undefined && !options["in-cluster"])
    throw new UsageError("machine add kubernetes takes --kubeconfig FILE or --in-cluster");
  const added = (await ask(service, "POST", "/v1/machines", bodyOf(address, options))) as Machine;
  for (const until = systemClock.ticks() + LONGEST_MS; systemClock.ticks() < until; ) {
    const all = (await ask(service, "GET", "/v1/machines")) as Machine[];
    const found = all.find(({ id }) => id === added.id);
    if (!found || found.online) return found ?? added;
    if (found.trouble) {
      const next = `Saved; retrying. \`freehold machine remove ${added.id}\` removes it.`;
      throw new Refusal(`machine ${added.id}: ${found.trouble} ${next}`);
    }
    await pause(systemClock, LOOK_MS);
  }
  return added;
}

function bodyOf(address: string, options: MachineOptions): MachineCreate {
  const { identity, tls, declare, gpus } = options;
  const publicIp = options["public-ip"];
  return {
    ...(address !== "kubernetes" && { address }),
    ...(options["in-cluster"] && { inCluster: true }),
    ...ofCluster(options),
    ...(identity !== undefined && { identity: read(identity) }),
    ...(tls !== undefined && { tls: tlsIn(tls) }),
    ...(publicIp !== undefined && { publicIp }),
    ...(declare !== undefined && { declare: parsed("--declare", declare) }),
    ...simulatedGpusIn(options),
    ...(gpus !== undefined && { gpus: parsed("--gpus", gpus) }),
  };
}

function simulatedGpusIn(options: MachineOptions): Pick<MachineCreate, "simulatedGpus"> {
  const names = ["simulated-gpus", "virtual-gpus"] as const;
  const name = names.find((each) => options[each] !== undefined);
  if (name === undefined) return {};
  if (name === "virtual-gpus")
    process.stderr.write(
      "freehold: --virtual-gpus is now --simulated-gpus; the old name ends with the next release\n",
    );
  return { simulatedGpus: parsed(`--${name}`, options[name]!) };
}

export function clusterChanges(options: MachineOptions): MachineUpdate {
  const changes = ofCluster(options);
  if (Object.keys(changes).length > 0) return changes;
  throw new UsageError("machine set takes --name, --cluster or --kubeconfig");
}

function ofCluster({ name, kubeconfig, context, cluster }: MachineOptions) {
  return {
    ...(name !== undefined && { name }),
    ...(kubeconfig !== undefined && { kubeconfig: read(kubeconfig) }),
    ...(context !== undefined && { context }),
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
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parsed<Value>(option: string, text: string, example = '{"NVIDIA A40": 2}'): Value {
  try {
    return parseJson(text) as Value;
  } catch {
    throw new UsageError(`${option} takes a JSON object such as ${example}`);
  }
}
