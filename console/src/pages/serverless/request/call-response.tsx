// The response of a load-balancing endpoint: its status, times, headers and body.

import { TextBlock } from "../../../components/data/json-view.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { formatBytes, formatDuration } from "../../../components/format/units.ts";
import { Card } from "../../../components/layout/card.tsx";
import { formatJson, parseExactly } from "../../../exact-json.ts";
import type { CallState } from "./use-endpoint-call.ts";

export function CallResponse({ call }: { call: CallState | null }) {
  if (call?.error && !call.head) return <ErrorNote error={call.error} />;
  if (!call?.head) {
    return (
      <Card title="Response">
        <p role="status" className="text-muted">
          {messageOf(call)}
        </p>
      </Card>
    );
  }
  const { head, headMs, totalMs, bytes } = call;
  return (
    <Card
      title={
        <span className={head.status < 400 ? "text-good" : "text-bad"}>Status {head.status}</span>
      }
      aside={
        <span role="timer">
          first byte after {formatDuration(headMs!)}
          {totalMs !== null && `, ${formatBytes(bytes)} in ${formatDuration(totalMs)}`}
        </span>
      }
      flush
    >
      {Boolean(call.error) && <ErrorNote error={call.error} />}
      {call.cutOff && <p className="border-b border-line p-4 text-bad">{call.cutOff}</p>}
      {call.state === "stopped" && (
        <p className="border-b border-line p-4 text-muted">You stopped the request.</p>
      )}
      <Body call={call} />
      <details className="border-t border-line px-4 py-2.5 text-sm">
        <summary className="cursor-pointer">{head.headers.length} headers</summary>
        <dl className="mt-2 space-y-1 font-mono break-all">
          {head.headers.map(([name, value], n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header's name can repeat
            <div key={n}>
              <dt className="inline text-muted">{name}: </dt>
              <dd className="inline">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  );
}

function messageOf(call: CallState | null): string {
  if (call === null) return "Send a request to see the response here.";
  if (call.state === "ended") return call.cutOff ?? "The response was cut off before its end.";
  if (call.state === "waiting")
    return "Waiting for a worker. The first request may have to start one.";
  return call.cutOff ?? "You stopped the request before its response.";
}

function Body({ call: { state, text, bytes } }: { call: CallState }) {
  if (text === null) {
    return <p className="p-4 text-muted">{formatBytes(bytes)} that are not text</p>;
  }
  if (text === "") {
    return <p className="p-4 text-muted">{state === "streaming" ? "No body yet" : "No body"}</p>;
  }
  return <TextBlock text={state === "ended" ? indented(text) : text} label="Body" wraps />;
}

/** JSON with its lines indented, other text as it is. */
function indented(text: string): string {
  try {
    return formatJson(parseExactly(text));
  } catch {
    return text;
  }
}
