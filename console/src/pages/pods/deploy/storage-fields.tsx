// The storage of a new Pod: its container disk and its volume.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { SelectField, TextField } from "../../../components/form/form-fields.tsx";
import type { PodDraft } from "./pod-draft.ts";

interface Props {
  form: UseFormReturn<PodDraft>;
  volumes: Schema["NetworkVolume"][];
}

export function StorageFields({ form, volumes }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        form={form}
        name="containerDisk"
        label="Container disk in GB"
        hint="Wiped when the Pod stops."
        type="number"
        placeholder="50"
      />
      <SelectField
        form={form}
        name="networkVolumeId"
        label="Network volume"
        hint="Replaces the volume of the Pod."
        options={[
          ["", "None"],
          ...volumes.map(({ id, name, size }) => [id, `${name}, ${size} GB`] as const),
        ]}
      />
      <TextField
        form={form}
        name="volume"
        label="Volume in GB"
        hint="Persists until the Pod is terminated."
        type="number"
        placeholder="20"
        disabled={form.watch("networkVolumeId") !== ""}
      />
      <TextField form={form} name="mountPath" label="Mount path" mono placeholder="/workspace" />
    </div>
  );
}
