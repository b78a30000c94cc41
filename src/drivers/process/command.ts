// What a workload is as a process: its command, or the sentence that says why it cannot be one. Pure.

import { ExecRefused } from "../../domain/pod/exec-refused.ts";
import { StartRefused, type Workload } from "../driver.ts";

export function commandOf(workload: Workload): string[] {
  refuseWhatNoProcessHas(workload);
  const command = [...workload.entrypoint, ...workload.command];
  refuseEmptyCommand(command, workload.image);
  return command;
}

function refuseWhatNoProcessHas({ volumes = [], resources = {} }: Workload): void {
  if (volumes.length > 0) {
    throw new StartRefused("A process has no volumes: this needs a container engine.");
  }
  if ((resources.gpuIndices ?? []).length > 0) {
    throw new StartRefused(
      "A process cannot be given GPUs of its own: this needs a container engine.",
    );
  }
}

function refuseEmptyCommand(command: string[], image: string): void {
  if (command.length > 0 && command[0] !== "" && !command.some((part) => part.includes("\0"))) {
    return;
  }
  const named = image ? ` (${image})` : "";
  throw new StartRefused(
    command.some((part) => part.includes("\0"))
      ? "The start command holds a zero byte, which no process can be given."
      : `A process needs a start command: an image alone${named} is not enough, because nothing ` +
          "is pulled. Give the template a start command, or use a container engine.",
  );
}

export async function takesNoCommand(): Promise<never> {
  throw new ExecRefused("a process has no inside that a command could run in");
}
