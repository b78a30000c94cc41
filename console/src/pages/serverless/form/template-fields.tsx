// The template of an endpoint: an existing one, or a new one from an image.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../../api/client.ts";
import { SelectField, TextField } from "../../../components/form/form-fields.tsx";
import { templateOptions } from "../../../components/form/template-options.ts";
import type { Draft } from "./endpoint-draft.ts";

export function TemplateFields({ form }: { form: UseFormReturn<Draft> }) {
  const { data: templates = [] } = api.useQuery("get", "/v1/templates", {
    params: {
      query: {
        includeEndpointBoundTemplates: true,
        includePublicTemplates: true,
        includeRunpodTemplates: true,
      },
    },
  });
  const usable = templates.filter(({ isRunpod, isServerless }) => isServerless || !isRunpod);
  return (
    <div className="space-y-4">
      <TextField
        form={form}
        name="name"
        label="Display name"
        hint="Optional."
        placeholder="image-generator"
      />
      <SelectField
        form={form}
        name="templateId"
        label="Template"
        hint="An image and its start command."
        {...templateOptions(
          "New template from an image",
          usable,
          ({ name, imageName }) => `${name} (${imageName})`,
        )}
      />
      {form.watch("templateId") === "" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="imageName"
            label="Image"
            hint="As for docker pull."
            placeholder="ghcr.io/acme/worker:1.0"
          />
          <TextField
            form={form}
            name="command"
            label="Start command"
            hint="Leave empty for the CMD of the image."
            placeholder="python -u handler.py"
          />
        </div>
      )}
      <TextField
        form={form}
        name="models"
        label="Models"
        hint="From the Hugging Face Hub, separated by spaces. Workers find them in their cache."
        placeholder="Qwen/Qwen3-0.6B"
      />
    </div>
  );
}
