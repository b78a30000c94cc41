// The container of a new Pod: its template or image, and how it starts.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { SelectField, TextAreaField, TextField } from "../../../components/form/form-fields.tsx";
import { LabelsField } from "../../../components/form/labels-field.tsx";
import { templateOptions } from "../../../components/form/template-options.ts";
import type { PodDraft } from "./pod-draft.ts";

interface Props {
  form: UseFormReturn<PodDraft>;
  templates: Schema["Template"][];
  auths: Schema["ContainerRegistryAuth"][];
}

const optionsOf = (resources: { id: string; name: string }[]) =>
  resources.map(({ id, name }) => [id, name] as const);

export function ContainerFields({ form, templates, auths }: Props) {
  const templateId = form.watch("templateId");
  const template = templates.find(({ id }) => id === templateId);
  const podTemplates = templates.filter(({ isServerless }) => !isServerless);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        form={form}
        name="name"
        label="Display name"
        hint="Optional."
        placeholder="my pod"
      />
      <SelectField
        form={form}
        name="templateId"
        label="Template"
        hint="Provides defaults for empty fields."
        {...templateOptions("None, use an image", podTemplates)}
      />
      <TextField
        form={form}
        name="image"
        label="Image"
        className="sm:col-span-2"
        placeholder={template?.imageName ?? "ubuntu:24.04"}
      />
      <StartFields form={form} template={template} />
      {auths.length > 0 && (
        <SelectField
          form={form}
          name="registryAuthId"
          label="Registry credentials"
          hint="Required for private images."
          options={[["", "None"], ...optionsOf(auths)]}
        />
      )}
    </div>
  );
}

interface StartProps extends Pick<Props, "form"> {
  template: Schema["Template"] | undefined;
}

function StartFields({ form, template }: StartProps) {
  return (
    <>
      <TextField
        form={form}
        name="command"
        label="Start command"
        hint="Overrides the CMD of the image."
        mono
        placeholder={template?.dockerStartCmd.join(" ") || "default of the image"}
      />
      <TextField
        form={form}
        name="ports"
        label="Ports"
        hint="http ports get a URL, tcp ports a public port: 8888/http, 22/tcp."
        mono
        placeholder={template?.ports.join(", ") ?? "8888/http, 22/tcp"}
      />
      <TextAreaField
        form={form}
        name="env"
        label="Environment variables"
        hint="One NAME=value per line. Use {{ RUNPOD_SECRET_name }} for the value of a secret."
        className="sm:col-span-2"
        mono
      />
      <LabelsField form={form} name="labels" className="sm:col-span-2" />
    </>
  );
}
