// The figures of Freehold by itself, beside nobody: latency when idle, a long backlog, large inputs,
// memory and start.
import type { Pace } from "../comparison.ts";
import { type Laden, measureBacklog } from "./beside-backlog.ts";
import { type LargeInputs, measureLargeInputs } from "./large-inputs.ts";

export interface Alone {
  idleJobs: number;
  backlogJobs: number;
  /** The empty queue first. */
  laden: Laden[];
  large: LargeInputs;
}

export async function measureAlone(
  pace: Pace,
  quick: boolean,
  progress: (line: string) => void,
): Promise<Alone> {
  const [backlogJobs, idleJobs] = [quick ? 200_000 : 1_000_000, 500];
  const plan = { ...pace, jobs: backlogJobs, idleJobs };
  const laden = await measureBacklog(plan, progress);
  progress("small requests beside large inputs");
  const large = await measureLargeInputs(quick ? 2_000 : 10_000);
  return { idleJobs, backlogJobs, laden, large };
}
