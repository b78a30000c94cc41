// What the tests of the fake worker share: one worker before one queue, on a clock of their own.
import { it } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { LogLine, Sighting } from "../driver.ts";
import { type FakeDriver, openFakeDriver } from "./fake-driver.ts";
import { QueueDouble, workerEnv } from "./queue-double.ts";

export interface Stage {
  clock: VirtualClock;
  queue: QueueDouble;
  driver: FakeDriver;
  see(): Promise<Sighting>;
  printed(): Promise<string>;
}

/** One worker, `w1`, with these arguments, before a queue with so many jobs `j1`, `j2` and on. */
export function worker(
  name: string,
  args: string[],
  jobs: number,
  prove: (stage: Stage) => Promise<void>,
): void {
  it(name, async () => {
    const clock = new VirtualClock();
    const queue = new QueueDouble(clock);
    addJobs(queue, 1, jobs);
    const driver = openFakeDriver({ clock, transport: queue.transport });
    const command = ["fake-worker", ...args];
    await driver.start({
      id: "w1",
      image: "acme/llm",
      entrypoint: [],
      command,
      env: workerEnv("w1"),
    });
    const text = (lines: LogLine[]) => lines.map((line) => line.text).join("\n");
    await prove({
      clock,
      queue,
      driver,
      see: async () => (await driver.list())[0]!,
      printed: async () => text(await driver.logs("w1", 1000)),
    });
    await driver.close();
  });
}

export function addJobs(queue: QueueDouble, first: number, last: number): void {
  for (let n = first; n <= last; n++) queue.jobs.push({ id: `j${n}`, input: { n } });
}
