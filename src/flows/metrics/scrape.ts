// A scrape of all metrics: those of the installation and those of this process.

import { requireOperator } from "../../transactions/account/require-operator.ts";
import type { LocalDrivers } from "../replica/local-drivers.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type InstallationDeps, InstallationMetrics } from "./installation-metrics.ts";
import { exportMachineLoad } from "./machine-load-metrics.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

export interface ScrapeDeps extends InstallationDeps {
  metrics: ProcessMetrics;
  localDrivers: LocalDrivers;
}

/** Answers a scrape by an account; null is a caller on this machine. Registers the metrics once. */
export function metricsReader(deps: ScrapeDeps): (accountId: string | null) => Promise<string> {
  exportMachineLoad(deps.metrics.registry, deps.localDrivers);
  const installation = new InstallationMetrics(deps, deps.metrics.registry);
  return async (accountId) => {
    if (accountId !== null) await throwRefusal(deps.store.read(requireOperator, accountId));
    return installation.scrape();
  };
}
