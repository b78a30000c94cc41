// What OpenTelemetry's variables turn on, and which of their values are refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readTracing } from "./tracing-config.ts";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const on = { [ENDPOINT]: "http://collector:4318" };

// variables, and where spans go
const cases: [env: Record<string, string>, url: string | null][] = [
  [{}, null],
  [{ [ENDPOINT]: "" }, null],
  [on, "http://collector:4318/v1/traces"],
  [{ [ENDPOINT]: "https://collector/base/" }, "https://collector/base/v1/traces"],
  [{ ...on, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://other/in" }, "http://other/in"],
  [{ OTEL_TRACES_EXPORTER: "otlp" }, "http://localhost:4318/v1/traces"],
  [{ ...on, OTEL_RESOURCE_ATTRIBUTES: "team = ml, page=%3D,empty=," }, `${on[ENDPOINT]}/v1/traces`],
  [{ ...on, OTEL_RESOURCE_ATTRIBUTES: `a= ${"%C3%A9".repeat(255)}` }, `${on[ENDPOINT]}/v1/traces`],
  [{ ...on, OTEL_TRACES_EXPORTER: "none" }, null],
  [{ ...on, OTEL_SDK_DISABLED: "True" }, null],
  [{ ...on, OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, null],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, null],
];

for (const [env, url] of cases) {
  test(`${JSON.stringify(env)} sends spans to ${url ?? "no place"}`, () => {
    const errors: string[] = [];
    assert.equal(readTracing(env, errors)?.url ?? null, url);
    assert.deepEqual(errors, []);
  });
}

// a variable with a value that is refused
const refused: [name: string, value: string, takes: RegExp][] = [
  [ENDPOINT, "collector:4318", /takes an http or https URL/],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "no address", /takes an http or https URL/],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /http\/protobuf, http\/json\. .*port is usually 4318/],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "thrift", /takes one of http\/protobuf, http\/json/],
  ["OTEL_TRACES_EXPORTER", "zipkin", /takes one of otlp, none/],
  ["OTEL_TRACES_SAMPLER", "jaeger_remote", /takes one of always_on, always_off/],
  ["OTEL_RESOURCE_ATTRIBUTES", "team=ml,page=https://wiki/?id=4", /"=" as %3D/],
  ["OTEL_RESOURCE_ATTRIBUTES", "team", /name=value pairs/],
  ["OTEL_RESOURCE_ATTRIBUTES", "share=100%", /"%" as %25/],
  ["OTEL_RESOURCE_ATTRIBUTES", `team=ml,note=${"x".repeat(256)}`, /at most 255 characters/],
  ["OTEL_RESOURCE_ATTRIBUTES", `${"x".repeat(256)}=ml`, /at most 255 characters/],
  ["OTEL_BSP_MAX_QUEUE_SIZE", "-1", /takes a whole number above 0/],
];

for (const [name, value, takes] of refused) {
  test(`${name}=${value} is refused with a sentence`, () => {
    const errors: string[] = [];
    readTracing({ ...on, [name]: value }, errors);
    assert.equal(errors.length, 1);
    assert.ok(errors[0]!.startsWith(`${name} is "${value}"; it `));
    assert.match(errors[0]!, takes);
  });
}

test("a ratio beyond 1 is refused, and one without an argument samples everything", () => {
  const ratio = { ...on, OTEL_TRACES_SAMPLER: "parentbased_traceidratio" };
  const errors: string[] = [];
  assert.equal(readTracing(ratio, errors)?.ratio, 1);
  assert.equal(readTracing({ ...ratio, OTEL_TRACES_SAMPLER_ARG: "0.25" }, errors)?.ratio, 0.25);
  assert.deepEqual(errors, []);
  readTracing({ ...ratio, OTEL_TRACES_SAMPLER_ARG: "25%" }, errors);
  assert.deepEqual(errors, ['OTEL_TRACES_SAMPLER_ARG is "25%"; it takes a number from 0 to 1']);
});
