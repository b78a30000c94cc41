// Actions for all jobs that match the filters of a list: retry and cancel in the background, and export.

import { useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Button } from "../../../components/control/button.tsx";
import { SelectionBar } from "../../../components/feedback/selection-bar.tsx";
import { ConfirmDialog } from "../../../components/form/confirm-dialog.tsx";
import type { JobFilter } from "../use-job-pages.ts";

type Action = Schema["JobOperation"]["action"];

const texts = {
  retry: {
    title: "Retry all failed jobs that match",
    effect: "Failed and timed-out jobs return to their queues.",
    exception: "Jobs in quarantine are left out; filter by quarantine to retry them.",
    button: "Retry jobs",
  },
  cancel: {
    title: "Cancel all jobs that match",
    effect: "Queued jobs are cancelled, and running jobs are stopped.",
    exception: "Jobs that have ended are left alone.",
    button: "Cancel jobs",
  },
} as const;

export function MatchActions({ filter, onDone }: { filter: JobFilter; onDone: () => void }) {
  const [action, setAction] = useState<Action | null>(null);
  return (
    <SelectionBar text="All jobs that match are selected" onDone={onDone}>
      <Button small onClick={() => setAction("retry")}>
        Retry all
      </Button>
      <Button small variant="danger" onClick={() => setAction("cancel")}>
        Cancel all
      </Button>
      <ExportLink filter={filter} format="csv" />
      <ExportLink filter={filter} format="jsonl" />
      {action && (
        <ConfirmAction
          key={action}
          action={action}
          filter={filter}
          onClose={() => setAction(null)}
          onStart={onDone}
        />
      )}
    </SelectionBar>
  );
}

interface ConfirmProps {
  action: Action;
  filter: JobFilter;
  onClose: () => void;
  onStart: () => void;
}

function ConfirmAction({ action, filter, onClose, onStart }: ConfirmProps) {
  const write = useWrite("post", "/v1/job-operations", { invalidates: ["/v1/job-operations"] });
  const { title, effect, exception, button } = texts[action];
  return (
    <ConfirmDialog
      title={title}
      action={button}
      isHarmless={action === "retry"}
      write={write}
      onClose={onClose}
      onConfirm={() => write.run({ body: { action, filter } }).then(onStart)}
    >
      <p>{effect}</p>
      <p className="text-muted">
        {exception} The operation goes on in the background and covers the jobs that exist now.
      </p>
    </ConfirmDialog>
  );
}

const formats = { csv: "Export CSV", jsonl: "Export JSON Lines" } as const;

function ExportLink({ filter, format }: { filter: JobFilter; format: keyof typeof formats }) {
  const query = new URLSearchParams({ ...(filter as Record<string, string>), format });
  return (
    <Button small asChild>
      <a href={`/v1/jobs/export?${query}`} download={`jobs.${format}`}>
        {formats[format]}
      </a>
    </Button>
  );
}
