// From the options and the environment to a worker that runs, or to a single test job.

import type { ServeOptions } from "./handler.ts";
import { testInput, tryOut } from "./try-out.ts";
import { Worker } from "./worker.ts";
import type { World } from "./world.ts";

/** What keeps a process alive after its worker ended (an open pool, a timer) may do so no longer. */
const LINGER_MS = 5_000;

/** As `serve`, in any world. */
export async function start<Input, Output>(
  world: World,
  options: ServeOptions<Input, Output>,
): Promise<void> {
  if (testInput(world.argv) !== null || !world.env.RUNPOD_WEBHOOK_GET_JOB) {
    process.exitCode = await tryOut(world, options);
    return;
  }
  const worker = new Worker(world, options);
  if (!options.signal) {
    onSignals(worker);
    await worker.run();
    setTimeout(() => process.exit(), LINGER_MS).unref();
    return;
  }
  options.signal.addEventListener("abort", () => worker.stop(), { once: true });
  if (options.signal.aborted) worker.stop();
  await worker.run();
}

function onSignals(worker: Pick<Worker<never, never>, "stop" | "hurry">): void {
  process.on("SIGTERM", () => worker.stop());
  let interrupts = 0;
  const interrupt = () => {
    worker.stop();
    if (++interrupts < 2) return;
    worker.hurry();
    process.off("SIGINT", interrupt);
  };
  process.on("SIGINT", interrupt);
}
