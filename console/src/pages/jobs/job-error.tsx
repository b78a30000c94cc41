// The error of a job: its type, its message and where it was raised.

import { Code, CopyButton } from "../../components/control/copy.tsx";
import { Card } from "../../components/layout/card.tsx";

export interface JobError {
  type: string | null;
  message: string;
  trace: string | null;
}

/** SDKs post an exception as a JSON string; any other error is a message. */
export function parseError(error: string): JobError {
  const plain: JobError = { type: null, message: error, trace: null };
  if (!error.startsWith("{")) return plain;
  try {
    const fields = JSON.parse(error) as Record<string, unknown>;
    const { error_type: type, error_message: message, error_traceback: trace } = fields;
    if (typeof message !== "string") return plain;
    return {
      type: typeof type === "string" ? (/^<class '(.*)'>$/.exec(type)?.[1] ?? type) : null,
      message,
      trace: typeof trace === "string" && trace.trim() !== "" ? trace.trimEnd() : null,
    };
  } catch {
    return plain;
  }
}

/** One line for lists. */
export function errorLine(error: string): string {
  const { type, message } = parseError(error);
  const [line = ""] = message.trim().split("\n");
  return type ? `${type}: ${line}` : line;
}

export function ErrorCard({ error }: { error: string }) {
  const { type } = parseError(error);
  return (
    <Card
      title={type ? <code className="text-bad">{type}</code> : "Error"}
      aside={<CopyButton text={error} label="Copy error" />}
    >
      <ErrorText error={error} />
    </Card>
  );
}

/** The message and the stack; with its type for a place without a title. */
export function ErrorText({ error, withType = false }: { error: string; withType?: boolean }) {
  const { type, message, trace } = parseError(error);
  return (
    <>
      <p className="whitespace-pre-wrap break-words text-bad">
        {withType && type && <code className="font-medium">{type}: </code>}
        {message}
      </p>
      {trace && <Code text={trace} className="mt-3 max-h-96 overflow-y-auto" />}
    </>
  );
}
