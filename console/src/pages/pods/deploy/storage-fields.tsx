// Where the Pod keeps what it writes.

import type { Schema } from "../../../api/client.ts";
import { Field, Select, TextInput } from "../../../parts/field.tsx";
import type { Wish } from "./wish.ts";

interface Props {
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
  volumes: Schema["NetworkVolume"][];
}

export function StorageFields({ wish, change, volumes }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Container disk, GB" hint="Wiped whenever it stops.">
        {(tied) => (
          <TextInput
            {...tied}
            type="number"
            min={0}
            placeholder="50"
            value={wish.containerDisk}
            onChange={({ target }) => change({ containerDisk: target.value })}
          />
        )}
      </Field>
      <Field label="Network volume" hint="In the place of a volume of its own.">
        {(tied) => (
          <Select
            {...tied}
            value={wish.networkVolumeId}
            onChange={({ target }) => change({ networkVolumeId: target.value })}
          >
            <option value="">None</option>
            {volumes.map(({ id, name, size }) => (
              <option key={id} value={id}>{`${name}, ${size} GB`}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Volume, GB" hint="Kept until the Pod is terminated.">
        {(tied) => (
          <TextInput
            {...tied}
            type="number"
            min={0}
            placeholder="20"
            disabled={wish.networkVolumeId !== ""}
            value={wish.volume}
            onChange={({ target }) => change({ volume: target.value })}
          />
        )}
      </Field>
      <Field label="Mounted at">
        {(tied) => (
          <TextInput
            {...tied}
            className="font-mono"
            placeholder="/workspace"
            value={wish.mountPath}
            onChange={({ target }) => change({ mountPath: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
