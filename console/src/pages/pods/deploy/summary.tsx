// The price of a new Pod, the deploy button, and the same request as a command.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { curl } from "../../../api/curl.ts";
import { useQuote } from "../../../api/quote.ts";
import { useCanWrite } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { Code } from "../../../components/control/copy.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { QuoteNote } from "../../../components/feedback/quote-note.tsx";
import { CheckboxField } from "../../../components/form/form-fields.tsx";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import { bodyOf, createBodyOf, type PodDraft } from "./pod-draft.ts";
import type { Catalog } from "./price.ts";

interface Props {
  form: UseFormReturn<PodDraft>;
  draft: PodDraft;
  catalog: Catalog;
  busy: boolean;
  error: unknown;
}

export function Summary({ form, draft, catalog, busy, error }: Props) {
  const mayWrite = useCanWrite();
  const { data: quote, error: quoteError } = useQuote({ pod: quoteBody(draft) });
  const compute = quote && (quote.adjustedCostPerHr ?? quote.costPerHr);
  return (
    <div className="space-y-4 lg:sticky lg:top-6">
      <section className="rounded-card border border-line bg-surface p-4">
        <h2 className="text-sm text-muted">Price</h2>
        <p className="mt-1 text-2xl font-semibold tracking-tight" data-testid="price">
          {quote ? formatHourlyPrice(quote.totalPerHr) : "…"}
        </p>
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
          <dt className="text-muted">{computeName(draft, quote, catalog)}</dt>
          <dd className="text-right">{compute === undefined ? "…" : formatHourlyPrice(compute)}</dd>
          <dt className="text-muted">Disks, running</dt>
          <dd className="text-right">{quote ? formatHourlyPrice(quote.disksPerHr ?? 0) : "…"}</dd>
          <dt className="text-muted">When stopped</dt>
          <dd className="text-right">{quote ? formatHourlyPrice(quote.stoppedPerHr ?? 0) : "…"}</dd>
        </dl>
        {quote && compute !== quote.costPerHr && (
          <p className="mt-3 text-sm text-muted">
            Your savings plan covers {formatHourlyPrice(quote.costPerHr - (compute ?? 0))}.
          </p>
        )}
        <p className="mt-3 text-sm text-muted">
          {draft.spot
            ? "Spot Pods are stopped when their GPUs are needed on demand. The volume is kept."
            : "Billed by the millisecond while it runs. A stopped Pod is billed for its volume only."}
        </p>
        {error === null && <QuoteNote quote={quote} error={quoteError} />}
        {error !== null && (
          <div className="mt-4">
            <ErrorNote error={error} />
          </div>
        )}
        <div className="mt-4">
          <CheckboxField
            form={form}
            name="queue"
            label="Wait in line"
            hint="If there is no room now, or a quota is reached. A Pod in line costs nothing."
          />
        </div>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={!mayWrite}
          className="mt-4 w-full"
        >
          {busy ? "Deploying" : "Deploy"}
        </Button>
        {!mayWrite && (
          <p className="mt-2 text-sm text-muted">
            Your API key is read-only. Deploying requires write access.
          </p>
        )}
      </section>
      <section>
        <h2 className="mb-1.5 text-sm text-muted">Deploy with curl</h2>
        <Code
          text={curl("POST", "/v1/pods", createBodyOf(draft))}
          className="max-h-72 overflow-y-auto"
        />
      </section>
    </div>
  );
}

/** The image does not affect the price and may be entered last. */
function quoteBody(draft: PodDraft) {
  if (draft.image !== "" || draft.templateId !== "") return bodyOf(draft);
  return bodyOf({ ...draft, image: "any", command: "any" });
}

function computeName(
  draft: PodDraft,
  quote: Schema["Quote"] | undefined,
  { gpuTypes, cpuFlavors }: Catalog,
): string {
  if (draft.compute === "CPU") {
    const flavor = cpuFlavors.find(({ id }) => id === (quote?.cpuFlavorId ?? draft.cpuFlavorId));
    return `${draft.vcpuCount} vCPU${flavor ? `, ${flavor.displayName}` : ""}`;
  }
  const type = gpuTypes.find(({ id }) => id === (quote?.gpuTypeId ?? draft.gpuTypeIds[0]));
  return `${draft.gpuCount} × ${type?.displayName ?? "any GPU"}`;
}
