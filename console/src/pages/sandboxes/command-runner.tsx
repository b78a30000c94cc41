// Runs one command at a time in a sandbox, and shows what each printed.

import { type FormEvent, useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Code } from "../../components/control/copy.tsx";
import { TextInput } from "../../components/control/field.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { formatDuration } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";

interface Run {
  n: number;
  command: string;
  result: Schema["SandboxExecResult"];
}

/** Newest first; older runs are dropped. */
const MAX_RUNS = 20;

export function CommandRunner({ sandboxId }: { sandboxId: string }) {
  const write = useWrite("post", "/v2/sandboxes/{sandboxId}/exec");
  const [command, setCommand] = useState("");
  const [runs, setRuns] = useState<Run[]>([]);
  const run = async () => {
    const body = { command: ["sh", "-c", command], timeoutSeconds: 50 };
    const result = await write.run({ params: { path: { sandboxId } }, body });
    setRuns((before) =>
      [{ n: (before[0]?.n ?? 0) + 1, command, result }, ...before].slice(0, MAX_RUNS),
    );
    setCommand("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run().catch(() => {}); // the error is in `write`
  };
  return (
    <Card title="Run a command" aside="With sh, for at most 50 seconds">
      <form onSubmit={submit} className="flex gap-2">
        <TextInput
          aria-label="Command"
          className="font-mono"
          placeholder="python3 -c 'print(6 * 7)'"
          value={command}
          onChange={({ target }) => setCommand(target.value)}
        />
        <Button type="submit" busy={write.isPending} disabled={command.trim() === ""}>
          Run
        </Button>
      </form>
      {write.error !== null && (
        <div className="mt-4">
          <ErrorNote error={write.error} />
        </div>
      )}
      {runs.length > 0 && (
        <ol className="mt-4 space-y-3" aria-label="Commands" aria-live="polite">
          {runs.map((each) => (
            <li key={each.n}>
              <Output {...each} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Output({ command, result }: Run) {
  const { output, error, exitCode, durationMs, truncated } = result;
  return (
    <div className="min-w-0 rounded-control border border-line bg-sunken">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-3 py-1.5 text-sm">
        <code className="min-w-0 truncate">$ {command}</code>
        <span className={exitCode === 0 ? "text-muted" : "text-bad"}>
          {exitCode === null ? (error ?? "Ended") : `Exit code ${exitCode}`},{" "}
          {formatDuration(durationMs)}
        </span>
      </div>
      {output ? (
        <Code text={output} className="max-h-80 overflow-y-auto border-0" />
      ) : (
        <p className="p-3 text-sm text-muted">No output</p>
      )}
      {truncated && <p className="px-3 pb-2 text-sm text-muted">The rest is not shown.</p>}
    </div>
  );
}
