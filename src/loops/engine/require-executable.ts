// Refuses a workload whose command or variables no Linux system can execute, before an engine gets it. Requests
// are checked at their interface; what was stored before, or has its secrets filled in, is checked here.

import {
  commandLimitErrors,
  MAX_TOTAL_BYTES,
  MAX_WORD_BYTES,
  totalBytes,
} from "../../domain/container/command-limits.ts";
import { StartRefused, type Workload } from "../../drivers/driver.ts";

export function requireExecutable({ entrypoint, command, env }: Workload): void {
  const [error] = commandLimitErrors(["dockerEntrypoint", entrypoint], ["dockerStartCmd", command]);
  if (error) throw new StartRefused(error, "entrypoint_not_executable");
  const variables = Object.entries(env).map(([name, value]) => ({
    name,
    text: `${name}=${value}`,
  }));
  for (const { name, text } of variables) {
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAX_WORD_BYTES) continue;
    throw new StartRefused(
      `the variable ${JSON.stringify(name)} has ${bytes} bytes with its name; it has at most ${MAX_WORD_BYTES}`,
    );
  }
  const bytes = totalBytes([...entrypoint, ...command, ...variables.map(({ text }) => text)]);
  if (bytes <= MAX_TOTAL_BYTES) return;
  throw new StartRefused(
    `the command and the variables have ${bytes} bytes together; they have at most ${MAX_TOTAL_BYTES}`,
  );
}
