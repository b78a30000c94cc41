// The forms for a new template and for changes of one.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import {
  CheckboxField,
  SelectField,
  TextAreaField,
  TextField,
} from "../../components/form/form-fields.tsx";
import { labelErrors } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { bodyFields, type TemplateDraft, templateBodyOf, templateDraft } from "./template-draft.ts";
import type { Template } from "./templates.tsx";

export function NewTemplate({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/templates", {
    success: ({ name }) => `Template ${name} saved`,
  });
  const dialog = useSchemaForm({
    schema: "TemplateCreateInput",
    defaultValues: templateDraft(null),
    toBody: (draft) => ({
      ...templateBodyOf(draft, null),
      isServerless: draft.isServerless,
    }),
    fields: bodyFields,
    check: ({ labels }) => labelErrors(labels),
  });
  return (
    <FormDialog
      form={dialog}
      wide
      onClose={onClose}
      title="New template"
      action="Save template"
      onSubmit={(body) => write.run({ body })}
    >
      <ContainerFields form={dialog.form} />
      <EnvironmentFields form={dialog.form} />
      <CheckboxField
        form={dialog.form}
        name="isServerless"
        label="Serverless"
        hint="For endpoints. Otherwise the template is for Pods."
      />
      {!dialog.form.watch("isServerless") && <StopFields form={dialog.form} />}
      <LabelsField form={dialog.form} name="labels" />
      <PublicField form={dialog.form} />
    </FormDialog>
  );
}

export function EditTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const write = useWrite("patch", "/v1/templates/{templateId}", {
    success: ({ name }) => `Template ${name} saved`,
  });
  const dialog = useSchemaForm({
    schema: "TemplateUpdateInput",
    defaultValues: templateDraft(template),
    toBody: (draft) => templateBodyOf(draft, template),
    fields: bodyFields,
    check: ({ labels }) => labelErrors(labels),
  });
  return (
    <FormDialog
      form={dialog}
      wide
      onClose={onClose}
      title={`Edit ${template.name}`}
      lead="Changing the image, command or environment variables creates a new release of every endpoint that uses this template."
      action="Save template"
      onSubmit={(body) => write.run({ params: { path: { templateId: template.id } }, body })}
    >
      <ContainerFields form={dialog.form} />
      <EnvironmentFields form={dialog.form} />
      {!template.isServerless && <StopFields form={dialog.form} />}
      <LabelsField form={dialog.form} name="labels" />
      <PublicField form={dialog.form} />
    </FormDialog>
  );
}

interface FieldsProps {
  form: UseFormReturn<TemplateDraft>;
}

function StopFields({ form }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        form={form}
        name="idleMinutes"
        label="Stop its Pods when idle for, in minutes"
        hint="Empty for the rule of the project, or never. Pods that exist keep theirs."
        type="number"
      />
      <TextField
        form={form}
        name="maxMinutes"
        label="Maximum lifetime of its Pods, in minutes"
        hint="Counts from each start. Empty for none. Pods that exist keep theirs."
        type="number"
      />
    </div>
  );
}

function ContainerFields({ form }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField form={form} name="name" label="Display name" />
      <TextField form={form} name="imageName" label="Image" hint="As for docker pull." />
      <TextField
        form={form}
        name="entrypoint"
        label="Entrypoint"
        hint="Leave empty for the ENTRYPOINT of the image."
      />
      <TextField
        form={form}
        name="command"
        label="Start command"
        hint="Leave empty for the CMD of the image."
      />
      <TextField form={form} name="ports" label="Ports" hint="For example 8888/http, 22/tcp." />
      <TextField
        form={form}
        name="volumeMountPath"
        label="Volume mount path"
        hint="Absolute path in the container."
      />
      <TextField
        form={form}
        name="containerDiskInGb"
        label="Container disk in GB"
        hint="Wiped on restart."
        type="number"
      />
      <TextField
        form={form}
        name="volumeInGb"
        label="Volume in GB"
        hint="Persists across restarts."
        type="number"
      />
    </div>
  );
}

function EnvironmentFields({ form }: FieldsProps) {
  const { data: auths = [] } = api.useQuery("get", "/v1/containerregistryauth");
  return (
    <>
      <TextAreaField
        form={form}
        name="env"
        label="Environment variables"
        hint="One NAME=value per line. Use {{ RUNPOD_SECRET_name }} for the value of a secret."
        mono
      />
      <SelectField
        form={form}
        name="containerRegistryAuthId"
        label="Registry credentials"
        hint="Required for private images."
        options={[["", "None"], ...auths.map(({ id, name }) => [id, name] as const)]}
      />
    </>
  );
}

function PublicField({ form }: FieldsProps) {
  return (
    <CheckboxField
      form={form}
      name="isPublic"
      label="Public"
      hint="Visible to all accounts, including its environment variables."
    />
  );
}
