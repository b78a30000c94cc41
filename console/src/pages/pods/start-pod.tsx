// The confirmation of a start, with the price.

import type { Schema } from "../../api/client.ts";
import { useQuote } from "../../api/quote.ts";
import { QuoteNote } from "../../components/feedback/quote-note.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatHourlyPrice } from "../../components/format/units.ts";
import { useChangePodState } from "./use-change-pod-state.ts";

interface Props {
  pod: Schema["Pod"];
  onClose: () => void;
}

export function StartPod({ pod, onClose }: Props) {
  const write = useChangePodState(pod, "start");
  const { data: quote, error } = useQuote({ existingPod: { podId: pod.id } });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Start ${pod.name}?`}
      action="Start Pod"
      isHarmless
      onConfirm={write.run}
    >
      <p>
        Price:{" "}
        <strong data-testid="price" className="font-semibold">
          {quote ? formatHourlyPrice(quote.totalPerHr) : "…"}
        </strong>{" "}
        while running, including disks
        {quote?.stoppedPerHr ? `, and ${formatHourlyPrice(quote.stoppedPerHr)} when stopped` : ""}.
      </p>
      <QuoteNote quote={quote} error={error} />
    </ConfirmDialog>
  );
}
