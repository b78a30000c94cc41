// What the body of a new machine asks for: a machine by its address, or a cluster by its credentials.

import type {
  MachineCreate,
  MachineUpdate,
} from "../../../contract/rest-v1/machine/machine-write.ts";
import { Fault } from "../../../domain/fault.ts";
import type { NewMachine } from "../../../flows/machine/add.ts";
import type { NewKubernetesCluster } from "../../../flows/machine/add-cluster.ts";
import type { KubernetesClusterChanges } from "../../../flows/machine/change-cluster.ts";

export type DesiredMachine =
  | { machine: NewMachine }
  | { cluster: NewKubernetesCluster }
  | { error: string };

export function desiredMachine(body: MachineCreate): DesiredMachine {
  const { kubeconfig, inCluster = false, context, ...machine } = body;
  if (kubeconfig === undefined && !inCluster) {
    const alone = firstSet({ context, cluster: machine.cluster });
    return alone === null
      ? { machine: machineOf(machine) }
      : { error: `"${alone}" requires "kubeconfig".` };
  }
  const { address, identity, tls, gpus } = machine;
  const way = inCluster ? "inCluster" : "kubeconfig";
  const odd = firstSet({
    address,
    identity,
    tls,
    gpus,
    ...(inCluster && { kubeconfig, context }),
  });
  if (odd !== null) return { error: `"${odd}" and "${way}" exclude each other.` };
  const credentials = inCluster
    ? { inCluster: true as const }
    : { kubeconfig: kubeconfig!, context: context ?? null };
  const { name, offer } = machineOf(machine);
  return { cluster: { credentials, name, offer } };
}

export function clusterChanges({
  name,
  kubeconfig,
  context,
  cluster,
}: Pick<MachineUpdate, "name" | "kubeconfig" | "context" | "cluster">): KubernetesClusterChanges {
  if (context !== undefined && kubeconfig === undefined) {
    throw new Fault("invalid_body", { detail: '"context" requires "kubeconfig".' });
  }
  return {
    ...(name !== undefined && { name }),
    ...(kubeconfig !== undefined && { credentials: { kubeconfig, context: context ?? null } }),
    ...(cluster !== undefined && { cluster }),
  };
}

function firstSet(fields: Record<string, unknown>): string | null {
  return Object.keys(fields).find((name) => fields[name] !== undefined) ?? null;
}

/** Omitted fields get empty values. */
function machineOf({
  address = "",
  name = "",
  identity,
  tls,
  ...offer
}: Omit<MachineCreate, "kubeconfig" | "inCluster" | "context">): NewMachine {
  const { declare: declared = {}, virtualGpus = {}, gpus = {}, publicIp = null, ...others } = offer;
  const { simulatedGpus = virtualGpus, cluster, ...rest } = others;
  rest satisfies Record<string, never>;
  const secrets = { ...(identity && { identity }), ...(tls && { tls }) };
  const of = { declared, simulatedGpus, gpus, publicIp, ...(cluster && { cluster }) };
  return { address, name, secrets, offer: of };
}
