// What it will cost, and the button: the same request stands below as a command.

import { curl } from "../../../api/curl.ts";
import { useMayWrite } from "../../../api/self.ts";
import { Button } from "../../../parts/button.tsx";
import { Code } from "../../../parts/copy.tsx";
import { FaultNote } from "../../../parts/fault.tsx";
import { perHour } from "../../../parts/units.ts";
import { type Catalog, priceOf } from "./price.ts";
import { bodyOf, type Wish } from "./wish.ts";

interface Props {
  wish: Wish;
  catalog: Catalog;
  busy: boolean;
  error: unknown;
}

export function Summary({ wish, catalog, busy, error }: Props) {
  const mayWrite = useMayWrite();
  const { compute, disks } = priceOf(wish, catalog);
  const total = compute === null ? null : compute + disks;
  return (
    <div className="space-y-4 lg:sticky lg:top-6">
      <section className="rounded-card border border-line bg-surface p-4">
        <h2 className="text-sm text-muted">Price</h2>
        <p className="mt-1 text-2xl font-semibold tracking-tight" data-testid="price">
          {total === null ? "By what is found" : perHour(total)}
        </p>
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
          <dt className="text-muted">{computeName(wish, catalog)}</dt>
          <dd className="text-right">{compute === null ? "its own price" : perHour(compute)}</dd>
          <dt className="text-muted">Disks while it runs</dt>
          <dd className="text-right">{perHour(disks)}</dd>
        </dl>
        <p className="mt-3 text-sm text-muted">
          {wish.spot
            ? "Spot: stopped where its GPUs are needed on demand. Its volume is kept."
            : "Paid by the millisecond, and only while it runs; a stopped Pod pays for its volume."}
        </p>
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

function computeName(wish: Wish, { gpuTypes, cpuFlavors }: Catalog): string {
  if (wish.compute === "CPU") {
    const flavor = cpuFlavors.find(({ id }) => id === wish.cpuFlavorId);
    return `${wish.vcpuCount} vCPU${flavor ? `, ${flavor.displayName}` : " of any flavor"}`;
  }
  const type = gpuTypes.find(({ id }) => id === wish.gpuTypeIds[0]);
  return `${wish.gpuCount} × ${type?.displayName ?? "any GPU"}`;
}
