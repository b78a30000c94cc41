// What a Pod or worker uses, as it is sent.

import type { Metrics } from "../../contract/rest-v1/metrics.ts";
import type { Located } from "../../flows/log/source.ts";
import { usageOf } from "../../flows/usage/read.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";

export async function metricsOf(deps: RestDeps, subject: Located): Promise<Metrics> {
  const samples = (await usageOf(deps, subject)).map(({ at, ...rest }) => {
    return { at: instant(at), ...rest };
  });
  return { latest: samples.at(-1) ?? null, samples };
}
