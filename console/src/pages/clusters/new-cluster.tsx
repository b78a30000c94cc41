// The form for a new cluster.

import { useNavigate } from "@tanstack/react-router";
import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { PodPrice } from "../../components/feedback/pod-price.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import {
  NumberField,
  SelectField,
  TextAreaField,
  TextField,
} from "../../components/form/form-fields.tsx";
import { ImageOrTemplateFields, imageMissing } from "../../components/form/image-or-template.tsx";
import { labelErrors, labelsBody } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { parseVariables, splitWords } from "../../components/form/text-values.ts";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

const EMPTY = {
  name: "",
  type: "TRAINING",
  /** Empty for the first type with a free GPU. */
  gpuTypeId: "",
  gpuCountPerPod: 1,
  podCount: 2,
  image: "",
  templateId: "",
  disk: 20,
  command: "",
  env: "",
  labels: "",
};

export function NewCluster({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { data: gpuTypes = [] } = api.useQuery("get", "/v1/catalog/gpu-types");
  const write = useWrite("post", "/v2/clusters", {
    success: ({ name }) => `Cluster ${name} created`,
  });
  const dialog = useSchemaForm({
    schema: "ClusterCreate",
    defaultValues: EMPTY,
    fields: { cmd: "command" },
    toBody: ({ name, gpuTypeId, gpuCountPerPod, podCount, type, labels, ...container }) => ({
      name,
      type: type as "TRAINING" | "APPLICATION",
      compute: { gpuTypeId: gpuTypeId || gpuTypes[0]?.id || "", gpuCountPerPod, podCount },
      ...containerBody(container),
      ...labelsBody(labels),
    }),
    check: draftErrors,
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New cluster"
      lead="All Pods start, or none. They run on one machine, or on machines that share a fabric."
      action="Create cluster"
      wide
      onSubmit={async (body) => {
        const { id } = await write.run({ body });
        await navigate({ to: "/clusters/$clusterId", params: { clusterId: id } });
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" placeholder="training" />
        <SelectField
          form={form}
          name="type"
          label="Type"
          options={[
            ["TRAINING", "Training"],
            ["APPLICATION", "Application"],
          ]}
        />
        <SelectField
          form={form}
          name="gpuTypeId"
          label="GPU type"
          options={gpuTypes.map(({ id, displayName }) => [id, displayName] as const)}
        />
        <CountFields form={form} />
        <ImageOrTemplateFields
          form={form}
          placeholder="pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime"
        />
      </div>
      {form.watch("templateId") === "" && <ContainerFields form={form} />}
      <LabelsField form={form} name="labels" />
      <PodPrice
        pod={memberOf(form.watch(), gpuTypes[0]?.id)}
        count={form.watch("podCount")}
        inAnyCloud
      />
    </FormDialog>
  );
}

type Draft = typeof EMPTY;

function draftErrors({ podCount, gpuCountPerPod, ...values }: Draft) {
  return {
    ...(!(podCount >= 2 && podCount <= 250) && { podCount: "Must be from 2 to 250" }),
    ...(!(gpuCountPerPod >= 1) && { gpuCountPerPod: "Must be at least 1" }),
    ...imageMissing(values),
    ...labelErrors(values.labels),
  };
}

/** A template sets the other fields, too. */
function containerBody(draft: Pick<Draft, "image" | "templateId" | "disk" | "command" | "env">) {
  const { templateId, image, disk, command, env } = draft;
  if (templateId) return { templateId };
  const cmd = splitWords(command);
  return { image, disk, ...(cmd.length > 0 && { cmd }), env: parseVariables(env) };
}

const OWN = { imageName: "image", dockerStartCmd: ["sleep"], volumeInGb: 0 };

/** One of its Pods, for a quote. */
function memberOf({ gpuTypeId, gpuCountPerPod, templateId, disk }: Draft, firstType = "") {
  return {
    gpuTypeIds: [gpuTypeId || firstType],
    gpuCount: gpuCountPerPod,
    ...(templateId ? { templateId } : { ...OWN, containerDiskInGb: disk }),
  };
}

function ContainerFields({ form }: { form: UseFormReturn<Draft> }) {
  return (
    <>
      <NumberField form={form} name="disk" label="Container disk" unit="GB" step={1} />
      <TextField
        form={form}
        name="command"
        label="Start command"
        hint="Overrides the CMD of the image. MASTER_ADDR, MASTER_PORT, NODE_RANK and NUM_NODES are set."
        mono
        placeholder="bash -c 'torchrun --nnodes=$NUM_NODES --node_rank=$NODE_RANK ... train.py'"
      />
      <TextAreaField
        form={form}
        name="env"
        label="Environment variables"
        hint="One NAME=value per line. Use {{ RUNPOD_SECRET_name }} for the value of a secret."
        mono
      />
    </>
  );
}

function CountFields({ form }: { form: UseFormReturn<Draft> }) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <NumberField form={form} name="podCount" label="Pods" step={1} />
      <NumberField form={form} name="gpuCountPerPod" label="GPUs per Pod" step={1} />
    </div>
  );
}
