// W3C Trace Context, level 2: which trace a request belongs to, and the span that caused it. What does not
// conform is ignored, as the recommendation demands, and never refused.

export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The span that is the parent of the next one; 16 hexadecimal digits. */
  spanId: string;
  /** Whether the caller records the trace. */
  sampled: boolean;
  /** Whether the trace id is random, so that a sampler may use its digits. */
  random: boolean;
  /** The `tracestate` of other vendors, passed on unchanged; null for none. */
  state: string | null;
}

/** The two fields as headers or members of a job have them. */
export interface TraceFields {
  traceparent: string;
  tracestate?: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;
const RANDOM = 2;

/** Null where there is no valid `traceparent`. Values of repeated headers are joined by commas. */
export function readTraceContext(fields: Record<string, unknown>): TraceContext | null {
  const { traceparent, tracestate } = fields;
  if (typeof traceparent !== "string") return null;
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest)) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  const bits = Number.parseInt(flags!, 16);
  return {
    traceId: traceId!,
    spanId: spanId!,
    sampled: (bits & SAMPLED) !== 0,
    random: (bits & RANDOM) !== 0,
    state: typeof tracestate === "string" ? readTraceState(tracestate) : null,
  };
}

/** The headers of version 00: what only a later version has is not passed on. */
export function traceFields({
  traceId,
  spanId,
  sampled,
  random,
  state,
}: TraceContext): TraceFields {
  const flags = `0${(sampled ? SAMPLED : 0) | (random ? RANDOM : 0)}`;
  const traceparent = `00-${traceId}-${spanId}-${flags}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}

const KEY = /^(?:[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13}|[a-z][a-z0-9_\-*/]{0,255})$/;
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;
const MAX_CHARS = 512;
/** A state that is too long loses members over this length first. */
const LONG_MEMBER_CHARS = 128;

/** Null where the state does not conform. A long state loses whole members. */
function readTraceState(text: string): string | null {
  const members = text
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  if (members.length === 0 || members.length > MAX_MEMBERS) return null;
  const keys = new Set<string>();
  for (const member of members) {
    const at = member.indexOf("=");
    const key = member.slice(0, Math.max(0, at));
    if (!KEY.test(key) || !VALUE.test(member.slice(at + 1)) || keys.has(key)) return null;
    keys.add(key);
  }
  return shortened(members).join(",") || null;
}

function shortened(members: string[]): string[] {
  if (members.join(",").length <= MAX_CHARS) return members;
  const short = members.filter(({ length }) => length <= LONG_MEMBER_CHARS);
  while (short.join(",").length > MAX_CHARS) short.pop();
  return short;
}

/** The text that is stored with a job. */
export function traceText(context: TraceContext): string {
  const { traceparent, tracestate } = traceFields(context);
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

/** What `traceText` wrote. */
export function storedFields(text: string): TraceFields {
  const at = text.indexOf(" ");
  if (at < 0) return { traceparent: text };
  return { traceparent: text.slice(0, at), tracestate: text.slice(at + 1) };
}

export function storedContext(text: string): TraceContext {
  return readTraceContext({ ...storedFields(text) })!;
}
