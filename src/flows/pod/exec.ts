// Runs a command in a Pod's container, for as long as somebody is there to see it.

import { Fault } from "../../domain/fault.ts";
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
  const driver = deps.attended.at(pod.machine)?.looking.find(({ name }) => name === pod.driver);
  if (!driver) {
    const detail = `Pod ${id} runs on another server's machine; ask that server.`;
    throw new Fault("not_offered", { detail });
  }
  return driver.exec(pod.id, wish).catch((error: Error) => {
    if (error.name !== "ExecRefused") throw error;
    throw new Fault("not_offered", {
      detail: `No command can be run in Pod ${id}: ${error.message}.`,
    });
  });
}
