// Refuses a workload whose command or variables no Linux system can execute, before an engine gets it. Requests
// are checked at their interface; what was stored before, or has its secrets filled in, is checked here.

import { commandLimitErrors, MAX_WORD_BYTES } from "../../domain/pod/container/command-limits.ts";
import { StartRefused, type Workload } from "../../drivers/driver.ts";

export function requireExecutable({ entrypoint, command, env }: Workload): void {
  const [error] = commandLimitErrors(["dockerEntrypoint", entrypoint], ["dockerStartCmd", command]);
  if (error) throw new StartRefused(error, "entrypoint_not_executable");
  for (const [name, value] of Object.entries(env)) {
    const bytes = Buffer.byteLength(name) + 1 + Buffer.byteLength(value);
    if (bytes <= MAX_WORD_BYTES) continue;
    throw new StartRefused(
      `the variable ${JSON.stringify(name)} has ${bytes} bytes with its name; it has at most ${MAX_WORD_BYTES}`,
    );
  }
}
