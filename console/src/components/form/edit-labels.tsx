// The form for the labels of a resource of which nothing else can change.

import type { Schema } from "../../api/client.ts";
import type { Labeled } from "../format/labels.ts";
import { FormDialog } from "./form-dialog.tsx";
import { labelErrors, labelsBody, textOfLabels } from "./label-rows.ts";
import { LabelsField } from "./labels-field.tsx";
import { useSchemaForm } from "./use-schema-form.ts";

type LabelsSchema = "SshKeyUpdate" | "S3KeyUpdate" | "ContainerRegistryAuthUpdateInput";

interface Props {
  schema: LabelsSchema;
  of: Labeled & { name: string };
  onSave: (body: Schema[LabelsSchema]) => Promise<unknown>;
  onClose: () => void;
}

export function EditLabels({ schema, of, onSave, onClose }: Props) {
  const before = textOfLabels(of);
  const dialog = useSchemaForm({
    schema,
    defaultValues: { labels: before },
    toBody: ({ labels }) => labelsBody(labels, before),
    check: ({ labels }) => labelErrors(labels),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Labels of ${of.name}`}
      action="Save labels"
      onSubmit={onSave}
    >
      <LabelsField form={dialog.form} name="labels" />
    </FormDialog>
  );
}
