// The form that deploys an endpoint with the OpenAI API from a template that serves a model.

import { useNavigate } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatHourlyPrice } from "../../components/format/units.ts";
import { Dialog } from "../../components/layout/dialog.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { paths } from "../../paths.ts";
import { suitableGpus } from "../pods/deploy/suitable-gpus.ts";
import { useCreateEndpoint } from "../serverless/form/use-create-endpoint.ts";
import type { Template } from "./templates.tsx";

interface Props {
  template: Template;
  onClose: () => void;
}

export function DeployModel({ template, onClose }: Props) {
  const gpuTypes = api.useQuery("get", "/v1/catalog/gpu-types").data;
  const machines = api.useQuery("get", "/v1/machines").data;
  if (!gpuTypes || !machines) {
    return (
      <Dialog open onOpenChange={onClose} title={`Deploy ${template.name}`}>
        <Skeleton className="h-48" />
      </Dialog>
    );
  }
  const gpus = suitableGpus(gpuTypes, machines, template).sort(
    (a, b) => a.serverlessPrice - b.serverlessPrice,
  );
  return <ModelForm template={template} gpus={gpus} onClose={onClose} />;
}

interface Values {
  name: string;
  model: string;
  gpuTypeId: string;
  /** The name of a secret; empty for none. */
  secret: string;
}

function ModelForm({ template, gpus, onClose }: Props & { gpus: Schema["GpuType"][] }) {
  const navigate = useNavigate();
  const { data: secrets = [] } = api.useQuery("get", "/v1/secrets");
  const { createWithTemplate } = useCreateEndpoint();
  const dialog = useSchemaForm({
    schema: "EndpointCreateInput",
    defaultValues: {
      name: "",
      model: template.env.MODEL_NAME ?? "",
      gpuTypeId: gpus[0]?.id ?? "",
      secret: "",
    },
    fields: { gpuTypeIds: "gpuTypeId" },
    toBody: (values) => endpointBody(template, values, "new"),
    check: ({ model }): { model?: string } => (model.trim() ? {} : { model: "Required" }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Deploy ${template.name}`}
      lead="Creates an endpoint with the OpenAI API. Workers start with the first request, download the model, and stop when idle."
      action="Deploy endpoint"
      onSubmit={async (_, values) => {
        const { id } = await createWithTemplate(templateBody(template, values), (templateId) =>
          endpointBody(template, values, templateId),
        );
        await navigate({ to: paths.endpoint, params: { endpointId: id } });
      }}
    >
      <TextField
        form={form}
        name="model"
        label="Model"
        hint="On the Hugging Face Hub, as owner/name."
        placeholder="Qwen/Qwen2.5-1.5B-Instruct"
        mono
      />
      <TextField form={form} name="name" label="Display name" hint="Optional." />
      <SelectField
        form={form}
        name="gpuTypeId"
        label="GPU"
        hint="Weights in 16 bits take about 2 GB per billion parameters, and the context takes more."
        options={[
          ...gpus.map((gpu) => [gpu.id, describeGpu(gpu)] as const),
          ["", "Any GPU"] as const,
        ]}
      />
      <SelectField
        form={form}
        name="secret"
        label="Hugging Face token"
        hint="A secret, for a model that is not public."
        options={[["", "None"], ...secrets.map(({ name }) => [name, name] as const)]}
      />
    </FormDialog>
  );
}

const describeGpu = ({ displayName, memoryInGb, serverlessPrice }: Schema["GpuType"]) =>
  `${displayName}, ${memoryInGb} GB, ${formatHourlyPrice(serverlessPrice)} while a worker runs`;

function endpointBody(
  template: Template,
  { name, gpuTypeId }: Values,
  templateId: string,
): Schema["EndpointCreateInput"] {
  return {
    ...(name.trim() && { name: name.trim() }),
    templateId,
    gpuTypeIds: gpuTypeId ? [gpuTypeId] : [],
    // The worker of a load-balancing endpoint is a server with a health check.
    ...(template.env.HEALTH_CHECK_PATH !== undefined && {
      type: "LB",
      scalerType: "REQUEST_COUNT",
      executionTimeoutMs: 0,
    }),
  };
}

function templateBody(
  template: Template,
  { name, model, secret }: Values,
): Schema["TemplateCreateInput"] {
  const { imageName, category, dockerEntrypoint, dockerStartCmd, ports, containerDiskInGb } =
    template;
  const { containerRegistryAuthId, volumeMountPath } = template;
  return {
    // Names of templates are unique, and a model may be deployed twice.
    name: `${name.trim() || model.trim()} ${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`,
    imageName,
    category,
    dockerEntrypoint,
    dockerStartCmd,
    ports,
    containerDiskInGb,
    volumeMountPath,
    ...(containerRegistryAuthId && { containerRegistryAuthId }),
    volumeInGb: 0,
    isServerless: true,
    env: {
      ...template.env,
      MODEL_NAME: model.trim(),
      ...(secret && { HF_TOKEN: `{{ RUNPOD_SECRET_${secret} }}` }),
    },
  };
}
