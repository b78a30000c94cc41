// CPU per job of several kinds of load, measured in turns, compared within each round.

import { median } from "../comparison.ts";

/** Prints a line for each kind: its median, and the median and range of its ratios to the base. */
export function printRatios<Kind extends string>(
  samples: readonly Record<Kind, number>[],
  kinds: readonly Kind[],
  base: Kind,
): void {
  for (const kind of kinds) {
    const micros = Math.round(median(samples.map((sample) => sample[kind])));
    const ratios = samples.map((sample) => sample[kind] / sample[base]);
    const [middle, low, high] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map(
      (ratio) => ratio.toFixed(3),
    );
    process.stdout.write(
      `${kind}: ${micros} us CPU per job, ${middle} (${low} to ${high}) of ${base}\n`,
    );
  }
}
