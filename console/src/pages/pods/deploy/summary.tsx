// What it will cost, and the button: the same request stands below as a command.

import type { Schema } from "../../../api/client.ts";
import { curl } from "../../../api/curl.ts";
import { useQuote } from "../../../api/quote.ts";
import { useMayWrite } from "../../../api/self.ts";
import { Button } from "../../../parts/button.tsx";
import { Code } from "../../../parts/copy.tsx";
import { FaultNote } from "../../../parts/fault.tsx";
import { QuoteNote } from "../../../parts/quote-note.tsx";
import { perHour } from "../../../parts/units.ts";
import type { Catalog } from "./price.ts";
import { bodyOf, type Wish } from "./wish.ts";

interface Props {
  wish: Wish;
  catalog: Catalog;
  busy: boolean;
  error: unknown;
}

export function Summary({ wish, catalog, busy, error }: Props) {
  const mayWrite = useMayWrite();
  const { data: quote, error: mistake } = useQuote({ pod: quotedBody(wish) });
  const compute = quote && (quote.adjustedCostPerHr ?? quote.costPerHr);
  return (
    <div className="space-y-4 lg:sticky lg:top-6">
      <section className="rounded-card border border-line bg-surface p-4">
        <h2 className="text-sm text-muted">Price</h2>
        <p className="mt-1 text-2xl font-semibold tracking-tight" data-testid="price">
          {quote ? perHour(quote.totalPerHr) : "…"}
        </p>
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
          <dt className="text-muted">{computeName(wish, quote, catalog)}</dt>
          <dd className="text-right">{compute === undefined ? "…" : perHour(compute)}</dd>
          <dt className="text-muted">Disks while it runs</dt>
          <dd className="text-right">{quote ? perHour(quote.disksPerHr ?? 0) : "…"}</dd>
          <dt className="text-muted">Stopped</dt>
          <dd className="text-right">{quote ? perHour(quote.stoppedPerHr ?? 0) : "…"}</dd>
        </dl>
        {quote && compute !== quote.costPerHr && (
          <p className="mt-3 text-sm text-muted">
            A savings plan pays {perHour(quote.costPerHr - (compute ?? 0))} of it.
          </p>
        )}
        <p className="mt-3 text-sm text-muted">
          {wish.spot
            ? "Spot: stopped where its GPUs are needed on demand. Its volume is kept."
            : "Paid by the millisecond, and only while it runs; a stopped Pod pays for its volume."}
        </p>
        {error === null && <QuoteNote quote={quote} error={mistake} />}
        {error !== null && (
          <div className="mt-4">
            <FaultNote error={error} />
          </div>
        )}
        <Button
          type="submit"
          look="primary"
          busy={busy}
          disabled={!mayWrite}
          className="mt-4 w-full"
        >
          {busy ? "Deploying" : "Deploy"}
        </Button>
        {!mayWrite && (
          <p className="mt-2 text-sm text-muted">
            Your key may only read; this takes one that may write.
          </p>
        )}
      </section>
      <section>
        <h2 className="mb-1.5 text-sm text-muted">The same from a terminal</h2>
        <Code text={curl("POST", "/v1/pods", bodyOf(wish))} className="max-h-72 overflow-y-auto" />
      </section>
    </div>
  );
}

/** What it runs makes no difference to its price, and may be named last. */
function quotedBody(wish: Wish) {
  if (wish.image !== "" || wish.templateId !== "") return bodyOf(wish);
  return bodyOf({ ...wish, image: "any", command: "any" });
}

function computeName(
  wish: Wish,
  quote: Schema["Quote"] | undefined,
  { gpuTypes, cpuFlavors }: Catalog,
): string {
  if (wish.compute === "CPU") {
    const flavor = cpuFlavors.find(({ id }) => id === (quote?.cpuFlavorId ?? wish.cpuFlavorId));
    return `${wish.vcpuCount} vCPU${flavor ? `, ${flavor.displayName}` : ""}`;
  }
  const type = gpuTypes.find(({ id }) => id === (quote?.gpuTypeId ?? wish.gpuTypeIds[0]));
  return `${wish.gpuCount} × ${type?.displayName ?? "any GPU"}`;
}
