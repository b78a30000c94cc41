// The state of a workload that no driver watched, recovered from its folder.

import { SurvivingGroup } from "./running-group.ts";
import type { EndRecord, WorkloadFolder } from "./workload-folder.ts";

export type RecoveredRun =
  /** It had ended already. */
  | { run: string; end: EndRecord }
  /** It was running. Its group may have survived; null after a reboot of the machine. */
  | { run: string; startedAt: number; group: SurvivingGroup | null; givenPorts: number[] };

/** Null if nothing ever ran here; a start that a crash interrupted is undone. */
export async function recoverRun(
  folder: WorkloadFolder,
  bootId: string,
): Promise<RecoveredRun | null> {
  const [last, end] = [await folder.lastRun(), await folder.lastEnd()];
  if (!last) return null;
  if (end?.run === last.run) return { run: last.run, end };
  const note = await folder.claimant(last.run);
  if (note) {
    const group = last.boot === bootId ? new SurvivingGroup(note, folder.path) : null;
    const { run, startedAt, givenPorts = [] } = last;
    return { run, startedAt, group, givenPorts };
  }
  // The last start never happened: the workload is as the run before it left it, if there was one.
  if (end) return { run: end.run, end };
  await folder.remove();
  return null;
}
