// What an SSH connection does in its Pod: commands, and connections to ports.

import type { Duplex } from "node:stream";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { isUp } from "../../domain/pod/pod.ts";
import type { Store } from "../../store/engine/store.ts";
import { type DialDeps, dialPod, locationOf } from "../pod/dial.ts";
import { type ExecRequest, type Execution, execInPod } from "../pod/exec.ts";
import { readPod } from "../pod/read.ts";
import type { SshAccess } from "./authorize.ts";
import { ContainerFiles } from "./files/container-files.ts";
import type { PodFiles } from "./files/pod-files.ts";
import { SimulatedFiles } from "./files/simulated-files.ts";
import { connectRelay, relayCommand } from "./loopback.ts";

export interface SshDeps extends DialDeps {
  store: Store;
}

/** Rejects with a Fault. */
export function runOverSsh(
  deps: SshDeps,
  { accountId, podId }: SshAccess,
  request: ExecRequest,
): Promise<Execution> {
  return execInPod(deps, accountId, podId, request);
}

/** Rejects with a Fault, or with FileError if the image lacks a program that everything needs. */
export async function filesOverSsh(deps: SshDeps, access: SshAccess): Promise<PodFiles> {
  const { pod } = await readPod(deps, access.accountId, access.podId);
  const files = locationOf(pod).driver === "simulated" ? SimulatedFiles : ContainerFiles;
  return files.open((request) => runOverSsh(deps, access, request));
}

/** To a server on any of the Pod's addresses. Rejects with a Fault or NotReached. */
export async function dialOverSsh(deps: SshDeps, access: SshAccess, port: number): Promise<Duplex> {
  const { accountId, podId } = access;
  const { pod } = await readPod(deps, accountId, podId);
  if (!isUp(pod)) throw new NotReached("not_running");
  try {
    return await dialPod(deps, locationOf(pod), port);
  } catch (error) {
    if (!(error instanceof NotReached) || error.why !== "refused") throw error;
    const relay = { command: relayCommand(port), tty: null };
    return connectRelay(await runOverSsh(deps, access, relay));
  }
}
