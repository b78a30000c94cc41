// The form for a new S3 key.

import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { NameChoices } from "../../components/form/name-choices.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface KeyValues {
  name: string;
  /** One name=value per line. */
  labels: string;
  access: "read" | "write";
  /** Null for all volumes. */
  volumeIds: string[] | null;
}

const newKey: KeyValues = { name: "", labels: "", access: "write", volumeIds: null };

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
    toBody: ({ labels, ...values }) => ({ ...values, ...labelsBody(labels) }),
    check: ({ labels, volumeIds }): { labels?: string; volumeIds?: string } => ({
      ...labelErrors(labels),
      ...(volumeIds?.length === 0 && { volumeIds: "Select at least one volume" }),
    }),
  });
  const { form } = dialog;
  const { data: volumes } = api.useQuery("get", "/v1/networkvolumes");
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
      <NameChoices
        form={form}
        name="volumeIds"
        label="Restrict to selected volumes"
        resources={volumes}
        none="No network volumes yet"
      />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}
