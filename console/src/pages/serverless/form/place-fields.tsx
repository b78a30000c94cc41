// Where workers may run, and the network volumes they mount there.

import { api } from "../../../api/client.ts";
import { Checkbox } from "../../../parts/field.tsx";
import type { Draft } from "./draft.ts";

interface Props {
  draft: Draft;
  set: (news: Partial<Draft>) => void;
}

export function PlaceFields({ draft, set }: Props) {
  const { data: centers = [] } = api.useQuery("get", "/v1/catalog/data-centers");
  const { data: volumes = [] } = api.useQuery("get", "/v1/networkvolumes");
  const { dataCenterIds, networkVolumeIds } = draft;
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Data centers</legend>
        <p className="mb-2 text-xs text-muted">None chosen: anywhere.</p>
        <div className="relative max-h-52 space-y-2 overflow-y-auto p-1">
          {centers.map(({ id, location }) => (
            <Checkbox
              key={id}
              checked={dataCenterIds.includes(id)}
              onChange={(on) => set({ dataCenterIds: toggled(dataCenterIds, id, on) })}
              label={id}
              hint={location}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Network volumes</legend>
        <p className="mb-2 text-xs text-muted">
          One for each data center, mounted at /runpod-volume.
        </p>
        <div className="relative max-h-52 space-y-2 overflow-y-auto p-1">
          {volumes.length === 0 && <p className="text-sm text-muted">There is none yet.</p>}
          {volumes.map(({ id, name, size, dataCenterId }) => (
            <Checkbox
              key={id}
              checked={networkVolumeIds.includes(id)}
              onChange={(on) => set({ networkVolumeIds: toggled(networkVolumeIds, id, on) })}
              label={name}
              hint={`${size} GB in ${dataCenterId}`}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

const toggled = (ids: string[], id: string, on: boolean) =>
  on ? [...ids, id] : ids.filter((each) => each !== id);
