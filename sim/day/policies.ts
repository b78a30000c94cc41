// The policies that the simulated day compares: both scalers, with short and long delays, with and
// without a permanent worker, and with short and long idle timeouts.
import type { ScalePolicy } from "../../src/domain/endpoint/fleet.ts";

const scalers = [
  ["QUEUE_DELAY", 4],
  ["QUEUE_DELAY", 1],
  ["REQUEST_COUNT", 4],
  ["REQUEST_COUNT", 1],
] as const;

export const policies: ScalePolicy[] = scalers.flatMap(([scalerType, scalerValue]) =>
  [0, 1].flatMap((workersMin) =>
    [5, 60].map((idleTimeoutS) => {
      return { scalerType, scalerValue, workersMin, workersMax: 10, idleTimeoutS };
    }),
  ),
);
