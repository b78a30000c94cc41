// Runs a command in a Pod's container, on any machine, until it ends or the client disconnects.

import { commandLimitErrors } from "../../domain/container/command-limits.ts";
import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { ExecRequest, Execution } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import type { LogSources } from "../replica/log-source.ts";
import { type ContainerLocation, locationOf } from "./dial.ts";
import { readPod } from "./read.ts";

export type { ExecRequest, Execution };

export async function execInPod(
  deps: { store: Store } & LogSources,
  accountId: string,
  id: string,
  request: ExecRequest,
): Promise<Execution> {
  const { pod } = await readPod(deps, accountId, id);
  const { desired, observed } = pod;
  if (desired.state !== "RUNNING" || observed.state !== "running") {
    const state = desired.state === "RUNNING" ? "still starting" : desired.state;
    throw new Fault("pod_not_running", { id, event: "exec", state });
  }
  return execIn(deps, pod, request).catch((error: Error) => {
    if (!(error instanceof ExecRefused)) throw error;
    throw new Fault("not_offered", {
      detail: `No command can be run in Pod ${id}: ${error.message}.`,
    });
  });
}

/** In the container of a Pod or sandbox; rejects with ExecRefused, or the fault `worker_unreachable`. */
export async function execIn(deps: LogSources, pod: Pod, request: ExecRequest): Promise<Execution> {
  const errors = commandLimitErrors(["command", request.command]);
  if (errors.length > 0) throw new Fault("invalid_body", { detail: errors.join(" ") });
  const location = locationOf(pod);
  return deps.localDrivers.at(location.machine)
    ? execHere(deps, location, request)
    : deps.peers.exec(location, request);
}

/** On a machine that this replica manages; rejects with ExecRefused, or the fault `worker_unreachable`. */
export async function execHere(
  { localDrivers }: Pick<LogSources, "localDrivers">,
  { id, machine, driver: name }: ContainerLocation,
  request: ExecRequest,
): Promise<Execution> {
  const local = localDrivers.at(machine);
  const driver = local?.looking.find((each) => each.name === name);
  if (!driver) throw new Fault("worker_unreachable", { id });
  const execution = await driver.exec(id, request).catch((error: unknown) => {
    // An engine that does not respond, as for logs.
    throw error instanceof ExecRefused ? error : new Fault("worker_unreachable", { id });
  });
  const exitCode = execution.exitCode.bind(execution);
  execution.exitCode = () =>
    exitCode().catch(() => {
      throw new Fault("worker_unreachable", { id });
    });
  const { traffic } = local!;
  // What a command without a terminal writes may be read by a program: scp, sftp, a pipe.
  if (request.tty) traffic.watchTerminal(id, execution);
  return traffic.watchInput(id, execution);
}
