// A day of jobs: a quiet night, a morning ramp, a lunch dip and a busy afternoon, with spikes of
// minutes, bursts within two seconds, and low-priority jobs by day.
import { type Seeded, seeded } from "./seeded.ts";

export interface SimulatedJob {
  submittedAt: number;
  runMs: number;
  lowPriority: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Jobs per second at full hours, interpolated linearly. */
const jobsPerSecond = [
  [0, 0.01],
  [5, 0.005],
  [7, 0.03],
  [9, 0.35],
  [11.5, 0.4],
  [12.5, 0.15],
  [14, 0.45],
  [17, 0.4],
  [19, 0.12],
  [22, 0.04],
  [24, 0.01],
] as const;
const spikePerSecond = 2;

/** Jobs in order of submission; instants in milliseconds from midnight. */
export function dayOfJobs(seed: number): SimulatedJob[] {
  const random = seeded(seed);
  const spikes = Array.from({ length: 3 }, () => {
    const from = random.between(8 * hourMs, 20 * hourMs);
    return { from, to: from + random.between(2, 5) * 60_000 };
  });
  const rateAt = (instant: number) => {
    const spiking = spikes.some(({ from, to }) => from <= instant && instant < to);
    return rateByHour(instant / hourMs) + (spiking ? spikePerSecond : 0);
  };
  const jobs = [...steady(random, rateAt), ...bursts(random)];
  return jobs.sort((a, b) => a.submittedAt - b.submittedAt);
}

function rateByHour(hour: number): number {
  const after = jobsPerSecond.findIndex(([at]) => hour < at);
  const [fromHour, from] = jobsPerSecond[after - 1]!;
  const [toHour, to] = jobsPerSecond[after]!;
  return from + ((to - from) * (hour - fromHour)) / (toHour - fromHour);
}

/** Arrivals at a changing rate: drawn at the highest rate and thinned. */
function steady(random: Seeded, rateAt: (instant: number) => number): SimulatedJob[] {
  const jobs: SimulatedJob[] = [];
  const highest = 0.45 + spikePerSecond;
  for (let at = random.gapMs(highest); at < dayMs; at += random.gapMs(highest)) {
    if (random.next() < rateAt(at) / highest) jobs.push(job(random, at));
  }
  return jobs;
}

function bursts(random: Seeded): SimulatedJob[] {
  return Array.from({ length: 12 }, () => {
    const from = random.between(0, dayMs - hourMs);
    const size = Math.round(random.between(10, 60));
    return Array.from({ length: size }, () => job(random, from + random.between(0, 2_000)));
  }).flat();
}

/** Low priority ends in the evening: later traffic starts the workers that serve the last ones. */
function job(random: Seeded, at: number): SimulatedJob {
  return {
    submittedAt: Math.floor(at),
    runMs: Math.ceil(Math.min(60_000, random.lognormal(2_000, 0.8))),
    lowPriority: random.next() < 0.03 && at > 8 * hourMs && at < 20 * hourMs,
  };
}
