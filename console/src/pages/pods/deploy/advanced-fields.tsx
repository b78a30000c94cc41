// Further options of a new Pod.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { CheckboxField, SelectField, TextField } from "../../../components/form/form-fields.tsx";
import { timeZone } from "../../../components/format/time.ts";
import { TermFields } from "../terms.tsx";
import type { PodDraft } from "./pod-draft.ts";

interface Props {
  form: UseFormReturn<PodDraft>;
  dataCenters: Schema["DataCenter"][];
}

const driverOptions = [
  ["", "Default of the machine"],
  ["docker", "Container engine"],
  ["process", "Process (no isolation)"],
  ["simulated", "Simulated (for testing)"],
] as const;

export function AdvancedFields({ form, dataCenters }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        form={form}
        name="dataCenterId"
        label="Data center"
        options={[
          ["", "Any"],
          ...dataCenters.map(({ id, location }) => [id, `${id}, ${location}`] as const),
        ]}
      />
      <SelectField
        form={form}
        name="driver"
        label="Driver"
        hint="How the Pod runs on its machine."
        options={driverOptions}
      />
      {form.watch("compute") === "GPU" && <PerGpuFields form={form} />}
      <TextField
        form={form}
        name="entrypoint"
        label="Entrypoint"
        hint="Overrides the ENTRYPOINT of the image."
        mono
      />
      <StopFields form={form} />
      <div className="space-y-3 sm:col-span-2">
        <CheckboxField
          form={form}
          name="neverIdle"
          label="Never stop when idle"
          hint="Overrides the minutes, and the rule of the project if that lets Pods opt out."
        />
        <CheckboxField form={form} name="publicIp" label="Public IP address" />
        <TermFields form={form} />
      </div>
    </div>
  );
}

function StopFields({ form }: Pick<Props, "form">) {
  return (
    <>
      <TextField
        form={form}
        name="stopAfter"
        label="Stop at"
        hint={`In the time zone ${timeZone()}.`}
        type="datetime-local"
      />
      <TextField
        form={form}
        name="terminateAfter"
        label="Terminate at"
        hint="Also deletes its volume."
        type="datetime-local"
      />
      <TextField
        form={form}
        name="idleMinutes"
        label="Stop when idle for, in minutes"
        hint="No load of GPUs, CPUs and network, and no terminal in use. Keeps the volume."
        type="number"
        placeholder="as the project says, or never"
      />
      <TextField
        form={form}
        name="maxMinutes"
        label="Maximum lifetime, in minutes"
        hint="Stops it so long after each start. Keeps the volume."
        type="number"
        placeholder="as the project says, or none"
      />
    </>
  );
}

function PerGpuFields({ form }: Pick<Props, "form">) {
  return (
    <>
      <TextField
        form={form}
        name="minRam"
        label="Memory per GPU in GB"
        type="number"
        placeholder="8"
      />
      <TextField form={form} name="minVcpu" label="vCPUs per GPU" type="number" placeholder="2" />
      <TextField form={form} name="cudaVersion" label="Minimum CUDA version" placeholder="any" />
    </>
  );
}
