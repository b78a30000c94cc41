// Logs when spans cannot be exported, and when they can be again: two lines for an outage of any length. Spans that
// cannot be exported are dropped, and nothing else notices.

import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "../../base/log.ts";

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

export function reportExports(exporter: SpanExporter, log: Logger): SpanExporter {
  let dropped = 0;
  const report = (spans: number, { code, error }: Result) => {
    if (code === 0 && dropped > 0) {
      log.warn({ dropped }, "spans are exported again");
      dropped = 0;
    } else if (code !== 0) {
      if (dropped === 0) log.warn({ err: error }, "spans could not be exported and are dropped");
      dropped += spans;
    }
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        report(spans.length, result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
