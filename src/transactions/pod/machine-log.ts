// Logs that a machine was lost, or reports again, for the Pods that are desired to run there.

import { containerEvent, type LoggedEvent } from "../../domain/pod/pod-event.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { lockRunningOn } from "../../store/pod/row.ts";

export function* logMachineLost(machine: string, at: number): Tx<void> {
  const line = `its machine ${machine} is lost: the state of the container is unknown until the machine reports again`;
  yield* logForPodsOn(machine, at, line, containerEvent("machine_lost", null, null));
}

export function* logMachineBack(machine: string, at: number): Tx<void> {
  const line = `its machine ${machine} reports again`;
  yield* logForPodsOn(machine, at, line, containerEvent("machine_back", null, null));
}

function* logForPodsOn(machine: string, at: number, line: string, event: LoggedEvent): Tx<void> {
  for (const pod of yield* lockRunningOn(machine)) {
    yield* addSystemLine(pod.id, at, line, event);
    yield* notifyPod(pod);
  }
}
