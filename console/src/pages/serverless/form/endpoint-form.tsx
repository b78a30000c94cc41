// The form of an endpoint, new or not, with what it will cost beside it.

import { type FormEvent, type ReactNode, useState } from "react";
import { api } from "../../../api/client.ts";
import { useQuote } from "../../../api/quote.ts";
import { Button } from "../../../parts/button.tsx";
import { Card, Fact, Facts } from "../../../parts/card.tsx";
import { Code } from "../../../parts/copy.tsx";
import { FaultNote } from "../../../parts/fault.tsx";
import { QuoteNote } from "../../../parts/quote-note.tsx";
import { perHour } from "../../../parts/units.ts";
import { bodyOf, type Draft } from "./draft.ts";
import { HardwareFields } from "./hardware-fields.tsx";
import { PlaceFields } from "./place-fields.tsx";
import { ScalingFields } from "./scaling-fields.tsx";
import { TemplateFields } from "./template-fields.tsx";

interface Props {
  first: Draft;
  fixed: boolean;
  action: string;
  /** A word on what comes of it, below the price. */
  note?: (draft: Draft) => ReactNode;
  curl: (draft: Draft) => string;
  onSubmit: (draft: Draft) => Promise<void>;
}

export function EndpointForm({ first, fixed, action, note, curl, onSubmit }: Props) {
  const [draft, setDraft] = useState(first);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const set = (news: Partial<Draft>) => setDraft((now) => ({ ...now, ...news }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSubmit(draft);
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4 lg:grid-cols-[1fr_22rem]">
      <div className="min-w-0 space-y-4">
        <Card title="What it runs">
          <TemplateFields draft={draft} set={set} />
        </Card>
        <Card title="On what">
          <HardwareFields draft={draft} set={set} fixed={fixed} />
        </Card>
        <Card title="How many workers">
          <ScalingFields draft={draft} set={set} />
        </Card>
        <Card title="Where">
          <PlaceFields draft={draft} set={set} />
        </Card>
      </div>
      <div className="min-w-0 space-y-4 self-start lg:sticky lg:top-6">
        <Card title="Price">
          <Price draft={draft} />
          {note?.(draft)}
          {error !== null && (
            <div className="mt-4">
              <FaultNote error={error} />
            </div>
          )}
          <Button type="submit" look="primary" busy={busy} className="mt-4 w-full">
            {action}
          </Button>
        </Card>
        <Card title="The same by the API">
          <Code text={curl(draft)} />
        </Card>
      </div>
    </form>
  );
}

function Price({ draft }: { draft: Draft }) {
  const { computeType, templateId } = draft;
  const named = { ...draft, name: draft.name || "any" }; // it may be named last
  const body = { ...bodyOf(named), computeType, ...(templateId && { templateId }) };
  const { data: quote, error } = useQuote({ endpoint: body });
  const { data: types = [] } = api.useQuery("get", "/v1/catalog/gpu-types");
  const type = types.find(({ id }) => id === quote?.gpuTypeId);
  const price = (dollarsPerHr: number | undefined) =>
    dollarsPerHr === undefined ? "…" : perHour(dollarsPerHr);
  const each = quote?.costPerHr;
  const dearest = each && Math.max(each, ...quote.alternatives.map(({ costPerHr }) => costPerHr));
  if (quote?.costPerHr === 0 && !error) {
    return (
      <p data-testid="price" className="text-muted">
        By the GPU that a worker gets, while it runs. Processes of this machine cost nothing.
      </p>
    );
  }
  return (
    <div data-testid="price">
      <Facts>
        <Fact name="Each worker">
          {price(each)}
          {type && ` on ${type.displayName}`}
          {dearest !== each && `, up to ${price(dearest)} on others`}
        </Fact>
        <Fact name="Always">{price(quote?.leastPerHr)}</Fact>
        <Fact name="At most">{price(dearest && dearest * draft.workersMax)}</Fact>
      </Facts>
      <QuoteNote quote={quote} error={error} />
    </div>
  );
}
