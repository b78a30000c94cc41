// Everything else that a Pod can be asked to be.

import type { Schema } from "../../../api/client.ts";
import { Checkbox, Field, Select, TextInput } from "../../../parts/field.tsx";
import type { Wish } from "./wish.ts";

interface Props {
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
  dataCenters: Schema["DataCenter"][];
}

export function MoreFields({ wish, change, dataCenters }: Props) {
  const text = (name: "minRam" | "minVcpu" | "cudaVersion" | "entrypoint", type = "text") => ({
    type,
    value: wish[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Data center">
        {(tied) => (
          <Select
            {...tied}
            value={wish.dataCenterId}
            onChange={({ target }) => change({ dataCenterId: target.value })}
          >
            <option value="">Any</option>
            {dataCenters.map(({ id, location }) => (
              <option key={id} value={id}>{`${id}, ${location}`}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Driver" hint="What runs it on its machine.">
        {(tied) => (
          <Select
            {...tied}
            value={wish.driver}
            onChange={({ target }) => change({ driver: target.value as Wish["driver"] })}
          >
            <option value="">Whichever the machine has</option>
            <option value="docker">Container engine</option>
            <option value="process">Process, with the rights of the service</option>
            <option value="fake">Played, for trying things out</option>
          </Select>
        )}
      </Field>
      {wish.compute === "GPU" && (
        <>
          <Field label="Memory per GPU, GB">
            {(tied) => (
              <TextInput {...tied} {...text("minRam", "number")} min={1} placeholder="8" />
            )}
          </Field>
          <Field label="vCPU per GPU">
            {(tied) => (
              <TextInput {...tied} {...text("minVcpu", "number")} min={1} placeholder="2" />
            )}
          </Field>
          <Field label="CUDA at least">
            {(tied) => <TextInput {...tied} {...text("cudaVersion")} placeholder="any" />}
          </Field>
        </>
      )}
      <Field label="Entry point" hint="In the place of the image's own.">
        {(tied) => <TextInput {...tied} {...text("entrypoint")} className="font-mono" />}
      </Field>
      <Field label="Stop it at">
        {(tied) => (
          <TextInput
            {...tied}
            type="datetime-local"
            value={wish.stopAfter}
            onChange={({ target }) => change({ stopAfter: target.value })}
          />
        )}
      </Field>
      <Field label="Terminate it at" hint="Its volume goes with it.">
        {(tied) => (
          <TextInput
            {...tied}
            type="datetime-local"
            value={wish.terminateAfter}
            onChange={({ target }) => change({ terminateAfter: target.value })}
          />
        )}
      </Field>
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
