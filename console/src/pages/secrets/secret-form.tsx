// The forms for a new secret and for changes of one.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextAreaField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import type { Secret } from "./secrets.tsx";

export function NewSecret({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/secrets", { success: ({ name }) => `Secret ${name} saved` });
  const dialog = useSchemaForm({
    schema: "SecretCreate",
    defaultValues: { name: "", value: "", description: "", labels: "" },
    toBody: ({ labels, ...values }) => ({ ...values, ...labelsBody(labels) }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New secret"
      lead="The value is stored encrypted and never shown again."
      action="Save secret"
      onSubmit={(body) => write.run({ body })}
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        hint='Letters, digits and "_./-". Cannot be changed later.'
        placeholder="hf_token"
      />
      <TextAreaField form={form} name="value" label="Value" autoComplete="off" mono />
      <TextField form={form} name="description" label="Description" hint="Optional." />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

export function EditSecret({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const write = useWrite("patch", "/v1/secrets/{secretId}", {
    success: ({ name }) => `Secret ${name} saved`,
  });
  const before = textOfLabels(secret);
  const dialog = useSchemaForm({
    schema: "SecretUpdate",
    defaultValues: { value: "", description: secret.description, labels: before },
    toBody: ({ value, description, labels }) => ({
      description,
      ...(value && { value }),
      ...labelsBody(labels, before),
    }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${secret.name}`}
      lead="Containers that use this secret get the new value at their next start."
      action="Save secret"
      onSubmit={(body) => write.run({ params: { path: { secretId: secret.id } }, body })}
    >
      <TextAreaField
        form={form}
        name="value"
        label="Value"
        hint="Leave empty to keep the current value."
        autoComplete="off"
        mono
      />
      <TextField form={form} name="description" label="Description" hint="Optional." />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}
