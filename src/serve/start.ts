// The start of a worker, or of a single test job, depending on the environment.

import type { Environment } from "./environment.ts";
import type { ServeOptions } from "./handler.ts";
import { runTestJob, testInputOf } from "./test-job.ts";
import { WorkerProcess } from "./worker.ts";

/** How long a pool or a timer may keep the process alive after its worker has ended. */
const LINGER_MS = 5_000;

/** `serve` in any environment. */
export async function start<Input, Output>(
  environment: Environment,
  options: ServeOptions<Input, Output>,
): Promise<void> {
  if (testInputOf(environment.argv) !== null || !environment.env.RUNPOD_WEBHOOK_GET_JOB) {
    process.exitCode = await runTestJob(environment, options);
    return;
  }
  const worker = new WorkerProcess(environment, options);
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

function onSignals(worker: Pick<WorkerProcess<never, never>, "stop" | "abortJobs">): void {
  process.on("SIGTERM", () => worker.stop());
  let interrupts = 0;
  const interrupt = () => {
    worker.stop();
    if (++interrupts < 2) return;
    worker.abortJobs();
    process.off("SIGINT", interrupt);
  };
  process.on("SIGINT", interrupt);
}
