// An OpenTelemetry Collector (collector/main.go) that runs during a test, and the spans that it has received.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { type GoProgram, goProgram } from "../fixtures/programs/go-program.ts";
import { until } from "../fixtures/until.ts";

export const COLLECTOR: GoProgram = {
  name: "collector",
  module: path.join(import.meta.dirname, "collector"),
  package: ".",
};

export interface ReceivedSpan {
  name: string;
  /** As OTLP has it: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  startMs: number;
  endMs: number;
  /** 2 for an error. */
  status: { code?: number; message?: string };
  attributes: Record<string, string | number | boolean>;
  links: { traceId: string; spanId: string }[];
  resource: Record<string, string | number | boolean>;
}

export interface Collector {
  origin: string;
  /** The variables by which a service sends its spans here, soon after they end. */
  env: Record<string, string>;
  spans(): ReceivedSpan[];
  /** Resolves to the spans of a trace once there are `count` of them. */
  trace(traceId: string, count: number): Promise<ReceivedSpan[]>;
}

/** Null without Go, and the test is skipped. */
export async function startCollector(t: TestContext): Promise<Collector | null> {
  const program = goProgram(t, COLLECTOR);
  if (program === null) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-collector-"));
  addCleanup(t, () => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = path.join(folder, "spans.jsonl");
  writeFileSync(path.join(folder, "config.yaml"), configOf(port, file));
  const child = spawn(program, ["--config", path.join(folder, "config.yaml")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  addCleanup(t, async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const origin = `http://127.0.0.1:${port}`;
  await until(() => fetch(origin).catch(() => null));
  const spans = () => (existsSync(file) ? readSpans(readFileSync(file, "utf8")) : []);
  return {
    origin,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_BSP_SCHEDULE_DELAY: "50" },
    spans,
    trace: (traceId, count) =>
      until(() => {
        const found = spans().filter((span) => span.traceId === traceId);
        return found.length >= count ? found : null;
      }),
  };
}

const configOf = (port: number, file: string) => `
receivers:
  otlp:
    protocols:
      http:
        endpoint: 127.0.0.1:${port}
exporters:
  file:
    path: ${file}
service:
  pipelines:
    traces:
      receivers: [otlp]
      exporters: [file]
`;

/** One batch of OTLP JSON per line; the last line may still be written. */
function readSpans(text: string): ReceivedSpan[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.flatMap((line) =>
    JSON.parse(line).resourceSpans.flatMap(({ resource, scopeSpans }: Raw) =>
      scopeSpans.flatMap(({ spans }: Raw) =>
        spans.map((span: Raw) => ({
          parentSpanId: "",
          traceState: "",
          links: [],
          status: {},
          ...span,
          startMs: Number(span.startTimeUnixNano) / 1e6,
          endMs: Number(span.endTimeUnixNano) / 1e6,
          attributes: valuesOf(span.attributes ?? []),
          resource: valuesOf(resource.attributes),
        })),
      ),
    ),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP's JSON
type Raw = any;

const valuesOf = (attributes: Raw[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

/** 64-bit integers are strings in JSON. */
const plainValue = ({ intValue, ...other }: Raw) =>
  intValue === undefined ? Object.values(other)[0] : Number(intValue);
