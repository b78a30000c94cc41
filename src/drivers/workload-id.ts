// The ids that a driver accepts. They become names of folders and containers, so characters with a
// meaning in a path or a shell are refused.
import { StartRefused } from "./driver.ts";

const WORKLOAD_ID = /^[A-Za-z0-9_-]{1,64}$/;

export function isWorkloadId(id: string): boolean {
  return WORKLOAD_ID.test(id);
}

export function requireWorkloadId(id: string): void {
  if (isWorkloadId(id)) return;
  throw new StartRefused(
    `The workload id ${JSON.stringify(id.slice(0, 80))} is not allowed: an id is 1 to 64 letters, ` +
      "digits, underscores and hyphens.",
  );
}
