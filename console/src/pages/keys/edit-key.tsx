// The form for the name and the labels of an API key.

import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface Props {
  apiKey: Schema["Key"];
  onClose: () => void;
}

export function EditKey({ apiKey, onClose }: Props) {
  const write = useWrite("patch", "/v1/keys/{keyId}", {
    success: ({ name }) => `Key ${name} saved`,
  });
  const before = textOfLabels(apiKey);
  const dialog = useSchemaForm({
    schema: "KeyUpdate",
    defaultValues: { name: apiKey.name, labels: before },
    toBody: ({ name, labels }) => ({ name, ...labelsBody(labels, before) }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${apiKey.name}`}
      action="Save changes"
      onSubmit={(body) => write.run({ params: { path: { keyId: apiKey.id } }, body })}
    >
      <TextField form={form} name="name" label="Name" />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}
