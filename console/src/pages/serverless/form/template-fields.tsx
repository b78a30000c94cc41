// The template of an endpoint: an existing one, or a new one from an image.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../../api/client.ts";
import { Choice } from "../../../components/control/segmented-control.tsx";
import { NumberField, SelectField, TextField } from "../../../components/form/form-fields.tsx";
import { LabelsField } from "../../../components/form/labels-field.tsx";
import { templateOptions } from "../../../components/form/template-options.ts";
import type { Draft } from "./endpoint-draft.ts";

interface Props {
  form: UseFormReturn<Draft>;
  /** Whether the type can no longer change. */
  fixed: boolean;
}

/** Requests and not jobs decide on the workers, and an answer has no limit by default. */
const typeDefaults = {
  QB: { scalerType: "QUEUE_DELAY", executionTimeoutS: 600 },
  LB: { scalerType: "REQUEST_COUNT", executionTimeoutS: 0 },
} as const;

function TypeField({ form }: Pick<Props, "form">) {
  const type = form.watch("type");
  const choose = (chosen: Draft["type"]) => {
    form.setValue("type", chosen);
    form.setValue("scalerType", typeDefaults[chosen].scalerType);
    form.setValue("executionTimeoutS", typeDefaults[chosen].executionTimeoutS);
  };
  return (
    <div className="space-y-2">
      <Choice
        label="Type"
        value={type}
        onChange={choose}
        options={{ QB: "Queue", LB: "Load balancing" }}
      />
      <p className="text-sm text-muted">
        {type === "QB"
          ? "Jobs wait in a queue until a worker takes them."
          : "HTTP requests go to the servers of the workers, without a queue."}
      </p>
    </div>
  );
}

export function TemplateFields({ form, fixed }: Props) {
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
      {!fixed && <TypeField form={form} />}
      <TextField
        form={form}
        name="name"
        label="Display name"
        hint="Optional."
        placeholder="image-generator"
      />
      <LabelsField form={form} name="labels" />
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
      {form.watch("templateId") === "" && <NewTemplateFields form={form} />}
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

function NewTemplateFields({ form }: Pick<Props, "form">) {
  return (
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
      {form.watch("type") === "LB" && (
        <>
          <NumberField
            form={form}
            name="port"
            label="Port"
            hint="Where the server listens, in the variable PORT."
            step={1}
          />
          <TextField
            form={form}
            name="healthPath"
            label="Health check path"
            hint="200 means ready, 204 starting."
            placeholder="/ping"
          />
        </>
      )}
    </div>
  );
}
