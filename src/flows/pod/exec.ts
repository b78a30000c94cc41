// Runs a command in a Pod's container, for as long as somebody is there to see it, on whichever
// machine it is.

import { Fault } from "../../domain/fault.ts";
import { ExecRefused } from "../../domain/pod/exec-refused.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Execution, ExecWish } from "../../drivers/driver.ts";
import type { Store } from "../../store/store.ts";
import type { LogSources } from "../log/source.ts";
import { readPod } from "./read.ts";

export type { Execution, ExecWish };

export async function execInPod(
  deps: { store: Store } & LogSources,
  accountId: string,
  id: string,
  wish: ExecWish,
): Promise<Execution> {
  const { pod } = await readPod(deps, accountId, id);
  const up = pod.state === "RUNNING" && pod.observed === "running";
  if (!up) {
    const state = pod.state === "RUNNING" ? "still on its way up" : pod.state;
    throw new Fault("pod_not_running", { id, event: "exec", state });
  }
  const { attended, neighbours } = deps;
  const begun = attended.at(pod.machine) ? execHere(deps, pod, wish) : neighbours.exec(pod, wish);
  return begun.catch((error: Error) => {
    if (!(error instanceof ExecRefused)) throw error;
    throw new Fault("not_offered", {
      detail: `No command can be run in Pod ${id}: ${error.message}.`,
    });
  });
}

/** On a machine that is attended here; rejects with ExecRefused, or the fault `worker_unreachable`. */
export async function execHere(
  { attended }: Pick<LogSources, "attended">,
  { id, machine, driver: name }: Pick<Pod, "id" | "machine" | "driver">,
  wish: ExecWish,
): Promise<Execution> {
  const driver = attended.at(machine)?.looking.find((each) => each.name === name);
  if (!driver) throw new Fault("worker_unreachable", { id });
  return driver.exec(id, wish);
}
