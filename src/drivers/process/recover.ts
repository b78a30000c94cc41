// Reads from a workload's folder what became of it while no driver was looking.
import { SurvivingGroup } from "./running-group.ts";
import type { Ended, WorkloadFolder } from "./workload-folder.ts";

export type Recovered =
  /** It ended before; `ended` says how. */
  | { run: string; ended: Ended }
  /** It was running. Its group may have survived; after a reboot of the machine there is none. */
  | { run: string; startedAt: number; group: SurvivingGroup | null };

/** Null if nothing ever ran here; a start that a crash cut short is undone. */
export async function recover(folder: WorkloadFolder, boot: string): Promise<Recovered | null> {
  const [last, ended] = [await folder.lastRun(), await folder.lastEnd()];
  if (!last) return null;
  if (ended?.run === last.run) return { run: last.run, ended };
  const note = await folder.claimant(last.run);
  if (note) {
    const group = last.boot === boot ? new SurvivingGroup(note) : null;
    return { run: last.run, startedAt: last.startedAt, group };
  }
  // The last start never came to be: either it was the first, or all is as it ended before.
  if (ended) return { run: ended.run, ended };
  await folder.remove();
  return null;
}
