// Starts a Pod that was stopped, once it was said what it costs from then on.

import type { Schema } from "../../api/client.ts";
import { useQuote } from "../../api/quote.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { QuoteNote } from "../../parts/quote-note.tsx";
import { perHour } from "../../parts/units.ts";

interface Props {
  pod: Schema["Pod"];
  onClose: () => void;
  onStart: () => Promise<void>;
}

export function StartPod({ pod, onClose, onStart }: Props) {
  const { data: quote, error } = useQuote({ existingPod: { podId: pod.id } });
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Start ${pod.name}?`}
      action="Start it"
      harmless
      onConfirm={onStart}
    >
      <p>
        It costs{" "}
        <strong data-testid="price" className="font-semibold">
          {quote ? perHour(quote.totalPerHr) : "…"}
        </strong>{" "}
        while it runs, its disks included
        {quote?.stoppedPerHr ? `; stopped it costs ${perHour(quote.stoppedPerHr)}` : ""}.
      </p>
      <QuoteNote quote={quote} error={error} />
    </Confirm>
  );
}
