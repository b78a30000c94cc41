// The short form for CI, --only cpu: Freehold's CPU per job as a multiple of the floor's, beside that of the last release. The
// multiple depends little on the machine.
import { load, median, type Pace, peerMicros, type Shape, warmUp } from "./comparison.ts";
import lastRelease from "./last-release.json" with { type: "json" };
import { bareFloor, freeholdOnSqlite } from "./peers.ts";

const PACE: Pace = { rounds: 3, warmUpMs: 100, measureMs: 600 };
const SHAPES: Shape[] = [
  { form: "cycle", clients: 16 },
  { form: "cycle", clients: 128 },
];

/** One line for each shape. */
export async function measureCpu(): Promise<string> {
  const [floor, freehold] = [await bareFloor.start(), await freeholdOnSqlite.start()];
  await warmUp(floor);
  await warmUp(freehold);
  let lines = "";
  for (const shape of SHAPES) {
    const ratios: number[] = [];
    for (let round = 0; round < PACE.rounds; round++) {
      const below = peerMicros(await load(floor, shape, PACE));
      ratios.push(peerMicros(await load(freehold, shape, PACE)) / below);
    }
    const name = `${shape.form} at ${shape.clients}` as keyof typeof lastRelease.cpuOfFloor;
    lines += `CPU per job, ${name}: ${median(ratios).toFixed(2)} times bare Fastify's; ${
      lastRelease.cpuOfFloor[name]
    } in ${lastRelease.version}\n`;
  }
  await Promise.all([floor.stop(), freehold.stop()]);
  return lines;
}
