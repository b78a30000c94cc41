// The command of a workload as a process, and the errors for workloads that cannot be one. Pure.

import { ExecRefused } from "../../domain/container/exec-refused.ts";
import { StartRefused, type Workload } from "../driver.ts";

export function commandOf(workload: Workload): string[] {
  refuseUnsupported(workload);
  const command = [...workload.entrypoint, ...workload.command];
  refuseEmptyCommand(command, workload.image);
  return command;
}

function refuseUnsupported({ volumes = [], resources = {} }: Workload): void {
  if (volumes.length > 0) {
    throw new StartRefused("A process cannot have volumes: they need a container engine.");
  }
  if ((resources.gpuIndices ?? []).length > 0) {
    throw new StartRefused("A process cannot have GPUs of its own: they need a container engine.");
  }
}

function refuseEmptyCommand(command: string[], image: string): void {
  if (command.length > 0 && command[0] !== "" && !command.some((part) => part.includes("\0"))) {
    return;
  }
  const imageName = image ? ` (${image})` : "";
  throw new StartRefused(
    command.some((part) => part.includes("\0"))
      ? "The start command contains a zero byte, which a process cannot receive."
      : `A process needs a start command: an image alone${imageName} is not enough, because the process ` +
          "driver pulls no images. Set a start command in the template, or use a container engine.",
  );
}

export async function refuseExec(): Promise<never> {
  throw new ExecRefused("the process driver cannot run commands in a workload");
}
