// The GPUs that no client can rent for want of a price. The operator sets one here.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { useCanManageMachines } from "./machine-actions.tsx";
import { OwnPriceForm } from "./own-price-form.tsx";

/** Nothing if all have a price. With `machineId`, those of one machine. */
export function UnpricedGpus({ machineId }: { machineId?: string }) {
  const { data: book } = api.useQuery("get", "/v1/price-book");
  const [chosen, setChosen] = useState<Schema["UnpricedGpus"] | null>(null);
  const canManage = useCanManageMachines();
  const types = (book?.unpricedGpus ?? []).filter(
    ({ machineIds }) => machineId === undefined || machineIds.includes(machineId),
  );
  return (
    <>
      {types.length > 0 && (
        <Card title="GPUs without a price" flush>
          <p className="px-4 pt-3 text-sm text-muted">
            The catalog does not have these GPUs, so they cannot be rented until they have a price.
          </p>
          <ul className="divide-y divide-line text-sm" aria-label="GPUs without a price">
            {types.map((type) => (
              <li key={type.id} className="flex min-h-11 flex-wrap items-center gap-4 px-4 py-1.5">
                <span className="min-w-0 flex-1 font-medium wrap-anywhere">{type.id}</span>
                <span className="text-muted">{describe(type, machineId)}</span>
                {canManage && (
                  <Button
                    small
                    aria-label={`Set the price of ${type.id}`}
                    onClick={() => setChosen(type)}
                  >
                    Set price
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {chosen && <OwnPriceForm gpus={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function describe(type: Schema["UnpricedGpus"], machineId: string | undefined): string {
  const { gpuCount, memoryInGb, machineIds } = type;
  const memory = memoryInGb === undefined ? [] : [`${memoryInGb} GB`];
  if (machineId !== undefined) return memory.join();
  const place = `on ${formatQuantity(machineIds.length, "machine")}`;
  return [...memory, `${formatQuantity(gpuCount, "GPU")} ${place}`].join(", ");
}
