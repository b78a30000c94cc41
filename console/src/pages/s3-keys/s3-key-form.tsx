// The form for a new S3 key.

import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Checkbox } from "../../components/form/field.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface KeyValues {
  name: string;
  access: "read" | "write";
  /** Null for all volumes. */
  volumeIds: string[] | null;
}

const newKey: KeyValues = { name: "", access: "write", volumeIds: null };

export interface KeyPair {
  id: string;
  secret: string;
}

interface Props {
  onClose: () => void;
  onCreated: (pair: KeyPair) => void;
}

export function S3KeyForm({ onClose, onCreated }: Props) {
  const write = useWrite("post", "/v1/s3-keys", { invalidates: ["/v1/s3-keys"] });
  const dialog = useSchemaForm({
    schema: "S3KeyCreate",
    defaultValues: newKey,
    toBody: (values) => values,
    check: ({ volumeIds }): { volumeIds?: string } =>
      volumeIds?.length === 0 ? { volumeIds: "Select at least one volume" } : {},
  });
  const { form } = dialog;
  const volumeIds = form.watch("volumeIds");
  const missing = form.formState.errors.volumeIds?.message;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New S3 key"
      action="Create key"
      onSubmit={async (body) => onCreated(await write.run({ body }))}
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="For example, the program that uses it."
        placeholder="laptop"
      />
      <SelectField
        form={form}
        name="access"
        label="Access"
        options={[
          ["write", "Read and write"],
          ["read", "Read only"],
        ]}
      />
      <Checkbox
        checked={volumeIds !== null}
        onChange={(isRestricted) => form.setValue("volumeIds", isRestricted ? [] : null)}
        label="Restrict to selected volumes"
      />
      {volumeIds !== null && (
        <VolumeChoices
          selected={volumeIds}
          onChange={(selected) => form.setValue("volumeIds", selected, { shouldValidate: true })}
        />
      )}
      {missing && <p className="text-xs text-bad">{missing}</p>}
    </FormDialog>
  );
}

interface ChoicesProps {
  selected: string[];
  onChange: (selected: string[]) => void;
}

function VolumeChoices({ selected, onChange }: ChoicesProps) {
  const { data: volumes } = api.useQuery("get", "/v1/networkvolumes");
  if (volumes?.length === 0) return <p className="pl-7 text-muted">No network volumes yet</p>;
  return (
    <div className="relative max-h-40 space-y-2 overflow-y-auto pl-7">
      {volumes?.map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={selected.includes(id)}
          onChange={(isSelected) =>
            onChange(isSelected ? [...selected, id] : selected.filter((each) => each !== id))
          }
          label={name || id}
        />
      ))}
    </div>
  );
}
