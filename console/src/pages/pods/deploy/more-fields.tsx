// Everything else that a Pod can be asked to be.

import type { Schema } from "../../../api/client.ts";
import { Checkbox } from "../../../parts/field.tsx";
import { SelectField, TextField } from "../../../parts/text-field.tsx";
import type { Wish } from "./wish.ts";

interface Props {
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
  dataCenters: Schema["DataCenter"][];
}

const drivers: [Wish["driver"], string][] = [
  ["", "Whichever the machine has"],
  ["docker", "Container engine"],
  ["process", "Process, with the rights of the service"],
  ["fake", "Played, for trying things out"],
];

export function MoreFields({ wish, change, dataCenters }: Props) {
  const places = dataCenters.map(({ id, location }): [string, string] => [
    id,
    `${id}, ${location}`,
  ]);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Data center"
        value={wish.dataCenterId}
        onChange={(dataCenterId) => change({ dataCenterId })}
        options={[["", "Any"], ...places]}
      />
      <SelectField
        label="Driver"
        hint="What runs it on its machine."
        value={wish.driver}
        onChange={(driver) => change({ driver })}
        options={drivers}
      />
      {wish.compute === "GPU" && <PerGpu wish={wish} change={change} />}
      <TextField
        label="Entry point"
        hint="In the place of the image's own."
        mono
        value={wish.entrypoint}
        onChange={(entrypoint) => change({ entrypoint })}
      />
      <TextField
        label="Stop it at"
        type="datetime-local"
        value={wish.stopAfter}
        onChange={(stopAfter) => change({ stopAfter })}
      />
      <TextField
        label="Terminate it at"
        hint="Its volume goes with it."
        type="datetime-local"
        value={wish.terminateAfter}
        onChange={(terminateAfter) => change({ terminateAfter })}
      />
      <div className="space-y-3 sm:col-span-2">
        <Checkbox
          label="A machine with a public address"
          checked={wish.publicIp}
          onChange={(publicIp) => change({ publicIp })}
        />
        <Checkbox
          label="Locked"
          hint="Refuses stop, restart and reset."
          checked={wish.locked}
          onChange={(locked) => change({ locked })}
        />
      </div>
    </div>
  );
}

function PerGpu({ wish, change }: Pick<Props, "wish" | "change">) {
  return (
    <>
      <TextField
        label="Memory per GPU, GB"
        type="number"
        min={1}
        placeholder="8"
        value={wish.minRam}
        onChange={(minRam) => change({ minRam })}
      />
      <TextField
        label="vCPU per GPU"
        type="number"
        min={1}
        placeholder="2"
        value={wish.minVcpu}
        onChange={(minVcpu) => change({ minVcpu })}
      />
      <TextField
        label="CUDA at least"
        placeholder="any"
        value={wish.cudaVersion}
        onChange={(cudaVersion) => change({ cudaVersion })}
      />
    </>
  );
}
