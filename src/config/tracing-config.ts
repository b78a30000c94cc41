// Tracing, by OpenTelemetry's own environment variables. Headers, timeouts, compression and certificates are read by
// the exporter, and the resource's attributes by its detectors.

const PROTOCOLS = ["http/protobuf", "http/json"] as const;
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export interface TracingConfig {
  /** Where spans are sent. */
  url: string;
  protocol: (typeof PROTOCOLS)[number];
  sampler: (typeof SAMPLERS)[number];
  /** The part of traces that a ratio samples. */
  ratio: number;
  /** The export queue; undefined for the SDK's default. */
  queue: Record<(typeof QUEUE)[number][0], number | undefined>;
}

const QUEUE = [
  ["scheduledDelayMillis", "OTEL_BSP_SCHEDULE_DELAY"],
  ["exportTimeoutMillis", "OTEL_BSP_EXPORT_TIMEOUT"],
  ["maxQueueSize", "OTEL_BSP_MAX_QUEUE_SIZE"],
  ["maxExportBatchSize", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"],
] as const;

type Env = Record<string, string | undefined>;

const DEFAULT_ENDPOINT = "http://localhost:4318";

/** Null where tracing is off: without an endpoint, or by a variable that turns it off. */
export function readTracing(env: Env, errors: string[]): TracingConfig | null {
  const exporter = env.OTEL_TRACES_EXPORTER || null;
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || null;
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT || (exporter && DEFAULT_ENDPOINT);
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || exporter === "none") return null;
  if (own === null && !endpoint) return null;
  if (exporter !== null) oneOf(["OTEL_TRACES_EXPORTER", exporter], ["otlp", "none"], errors);
  checkAttributes(env.OTEL_RESOURCE_ATTRIBUTES ?? "", errors);
  return {
    url: own
      ? checkUrl("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", own, errors)
      : `${checkUrl("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint!, errors).replace(/\/$/, "")}/v1/traces`,
    protocol: readProtocol(env, errors),
    ...readSampler(env, errors),
    queue: readQueue(env, errors),
  };
}

function readProtocol(env: Env, errors: string[]): TracingConfig["protocol"] {
  const name = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL
    ? "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
    : "OTEL_EXPORTER_OTLP_PROTOCOL";
  const protocol = env[name] || "http/protobuf";
  const hint =
    ". The collector's HTTP port is usually 4318; OTEL_SDK_DISABLED=true turns tracing off";
  return oneOf([name, protocol], PROTOCOLS, errors, hint);
}

function readSampler(env: Env, errors: string[]): Pick<TracingConfig, "sampler" | "ratio"> {
  const name = env.OTEL_TRACES_SAMPLER || "parentbased_always_on";
  const sampler = oneOf(["OTEL_TRACES_SAMPLER", name], SAMPLERS, errors);
  if (!sampler.endsWith("traceidratio")) return { sampler, ratio: 1 };
  const text = env.OTEL_TRACES_SAMPLER_ARG || "1";
  const ratio = Number(text);
  if (!(ratio >= 0 && ratio <= 1)) {
    errors.push(`OTEL_TRACES_SAMPLER_ARG is "${text}"; it takes a number from 0 to 1`);
  }
  return { sampler, ratio };
}

function readQueue(env: Env, errors: string[]): TracingConfig["queue"] {
  const read = (name: string) => {
    const text = env[name];
    if (!text) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value > 0) return value;
    errors.push(`${name} is "${text}"; it takes a whole number above 0`);
    return undefined;
  };
  const entries = QUEUE.map(([option, name]) => [option, read(name)]);
  return Object.fromEntries(entries) as TracingConfig["queue"];
}

const MAX_ATTRIBUTE_CHARS = 255;

/** The resource's detector drops all attributes, without a word, if it cannot read one. */
function checkAttributes(text: string, errors: string[]): void {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  if (pairs.every(isAttribute)) return;
  errors.push(
    `OTEL_RESOURCE_ATTRIBUTES is "${text}"; it takes name=value pairs with commas between them, of at most ` +
      `${MAX_ATTRIBUTE_CHARS} characters each: write "," as %2C, "=" as %3D and "%" as %25 in a name or a value`,
  );
}

function isAttribute(pair: string): boolean {
  const [name = "", ...values] = pair.split("=");
  return name.trim() !== "" && values.length === 1 && [name, ...values].every(isReadable);
}

function isReadable(text: string): boolean {
  try {
    return decodeURIComponent(text.trim()).length <= MAX_ATTRIBUTE_CHARS;
  } catch {
    return false;
  }
}

function checkUrl(name: string, text: string, errors: string[]): string {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    errors.push(`${name} is "${text}"; it takes an http or https URL: ${DEFAULT_ENDPOINT}`);
  }
  return text;
}

function oneOf<Value extends string>(
  [name, value]: [name: string, value: string],
  allowed: readonly Value[],
  errors: string[],
  hint = "",
): Value {
  if (!allowed.includes(value as Value)) {
    errors.push(`${name} is "${value}"; it takes one of ${allowed.join(", ")}${hint}`);
  }
  return value as Value;
}
