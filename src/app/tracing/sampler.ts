// The sampler by its name in OTEL_TRACES_SAMPLER.

import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "./tracing-config.ts";

export function samplerOf({ sampler, ratio }: Pick<TracingConfig, "sampler" | "ratio">): Sampler {
  const name = sampler.replace("parentbased_", "");
  const root =
    name === "traceidratio"
      ? new TraceIdRatioBasedSampler(ratio)
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return name === sampler ? root : new ParentBasedSampler({ root });
}
