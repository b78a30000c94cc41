// Records the steps of a worker's start: a driver's lines go to its log, and the instants to its row.

import type { Clock } from "../../base/clock.ts";
import type { StartStep } from "../../domain/worker/cold-start.ts";
import type { StartReporter } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { markStartStep } from "../../transactions/worker/observe.ts";
import { startLogger } from "../machines/start-log.ts";

const stepsOfDrivers = {
  image_pulling: "image_pulling",
  image_pulled: "image_ready",
  image_present: "image_ready",
} as const;

export interface StartRecorder {
  report: StartReporter;
  /** An instant that cannot be stored stays unknown. */
  record(step: StartStep): void;
}

export function startRecorder(deps: { store: Store; clock: Clock }, id: string): StartRecorder {
  const { store, clock } = deps;
  const log = startLogger(deps, id);
  const record = (step: StartStep) => {
    store.write(markStartStep, id, step, clock.now()).catch(() => {});
  };
  const report: StartReporter = (line, step) => {
    log(line, step);
    if (step) record(stepsOfDrivers[step]);
  };
  return { report, record };
}
