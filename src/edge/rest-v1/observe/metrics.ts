// The resource usage of a Pod or worker, in the format of the management API.

import type { Metrics } from "../../../contract/rest-v1/observe/metrics.ts";
import type { LogSources, WorkloadLocation } from "../../../flows/replica/log-source.ts";
import { usageOf } from "../../../flows/usage/read.ts";
import { instant } from "../../management/serve/instant.ts";

export async function metricsOf(deps: LogSources, subject: WorkloadLocation): Promise<Metrics> {
  const samples = (await usageOf(deps, subject)).map(({ at, ...rest }) => {
    return { at: instant(at), ...rest };
  });
  return { latest: samples.at(-1) ?? null, samples };
}
