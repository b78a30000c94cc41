// The data centers of an endpoint, and the network volumes that its workers mount there.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../../api/client.ts";
import { Checkbox } from "../../../components/control/field.tsx";
import type { Draft } from "./endpoint-draft.ts";

export function LocationFields({ form }: { form: UseFormReturn<Draft> }) {
  const { data: centers = [] } = api.useQuery("get", "/v1/catalog/data-centers");
  const { data: volumes = [] } = api.useQuery("get", "/v1/networkvolumes");
  const [dataCenterIds, networkVolumeIds] = form.watch(["dataCenterIds", "networkVolumeIds"]);
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Data centers</legend>
        <p className="mb-2 text-xs text-muted">Select none to allow any data center.</p>
        <div className="relative max-h-52 space-y-2 overflow-y-auto p-1">
          {centers.map(({ id, location }) => (
            <Checkbox
              key={id}
              checked={dataCenterIds.includes(id)}
              onChange={(on) => form.setValue("dataCenterIds", toggleId(dataCenterIds, id, on))}
              label={id}
              hint={location}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Network volumes</legend>
        <p className="mb-2 text-xs text-muted">
          At most one per data center, mounted at /runpod-volume.
        </p>
        <div className="relative max-h-52 space-y-2 overflow-y-auto p-1">
          {volumes.length === 0 && <p className="text-sm text-muted">No network volumes yet</p>}
          {volumes.map(({ id, name, size, dataCenterId }) => (
            <Checkbox
              key={id}
              checked={networkVolumeIds.includes(id)}
              onChange={(on) =>
                form.setValue("networkVolumeIds", toggleId(networkVolumeIds, id, on))
              }
              label={name}
              hint={`${size} GB in ${dataCenterId}`}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

const toggleId = (ids: string[], id: string, on: boolean) =>
  on ? [...ids, id] : ids.filter((each) => each !== id);
