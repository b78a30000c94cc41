// The form for a new sandbox.

import { useNavigate } from "@tanstack/react-router";
import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { PodPrice } from "../../components/feedback/pod-price.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import {
  NumberField,
  NumberSelectField,
  TextAreaField,
  TextField,
} from "../../components/form/form-fields.tsx";
import { ImageOrTemplateFields, imageMissing } from "../../components/form/image-or-template.tsx";
import { labelErrors } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { parseVariables } from "../../components/form/text-values.ts";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

const MINUTE = 60;

const EMPTY = {
  name: "",
  image: "",
  templateId: "",
  vcpuCount: 2,
  disk: 10,
  idleMinutes: 10,
  lifetimeMinutes: 60,
  labels: "",
  env: "",
};

export function NewSandbox({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const write = useWrite("post", "/v2/sandboxes", {
    success: ({ name }) => `Sandbox ${name} created`,
  });
  const dialog = useSchemaForm({
    schema: "SandboxCreate",
    defaultValues: EMPTY,
    fields: {
      imageName: "image",
      idleTimeoutSeconds: "idleMinutes",
      maxLifetimeSeconds: "lifetimeMinutes",
    },
    toBody: bodyOf,
    check: ({ idleMinutes, lifetimeMinutes, ...values }) => ({
      ...imageMissing(values),
      ...labelErrors(values.labels),
      ...(!(idleMinutes > 0 && idleMinutes <= 120) && { idleMinutes: "Must be at most 120" }),
      ...(!(lifetimeMinutes > 0 && lifetimeMinutes <= 1_440) && {
        lifetimeMinutes: "Must be at most 1,440",
      }),
    }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New sandbox"
      action="Create sandbox"
      wide
      onSubmit={async (body) => {
        const { id } = await write.run({ body });
        await navigate({ to: "/sandboxes/$sandboxId", params: { sandboxId: id } });
      }}
    >
      <SizeFields form={form} />
      <OtherFields form={form} />
      <PodPrice pod={podOf(form.watch())} />
    </FormDialog>
  );
}

/** A Pod of its size, for a quote: it costs the same. */
function podOf({ vcpuCount, disk }: Draft) {
  const size = { vcpuCount, dockerStartCmd: ["sleep"], containerDiskInGb: disk, volumeInGb: 0 };
  return { computeType: "CPU" as const, imageName: "image", ...size };
}

type Draft = typeof EMPTY;

function bodyOf({
  name,
  idleMinutes,
  lifetimeMinutes,
  labels,
  env,
  image,
  templateId,
  ...values
}: Draft) {
  return {
    ...values,
    ...(templateId ? { templateId } : { imageName: image }),
    ...(name.trim() && { name: name.trim() }),
    idleTimeoutSeconds: Math.round(idleMinutes * MINUTE),
    maxLifetimeSeconds: Math.round(lifetimeMinutes * MINUTE),
    labels: parseVariables(labels),
    env: parseVariables(env),
  };
}

interface FieldsProps {
  form: UseFormReturn<Draft>;
}

function SizeFields({ form }: FieldsProps) {
  const { data: flavors = [] } = api.useQuery("get", "/v1/catalog/cpu-flavors");
  const vcpuCounts = [...new Set(flavors.flatMap((flavor) => flavor.vcpuCounts))].sort(
    (a, b) => a - b,
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ImageOrTemplateFields form={form} placeholder="python:3.12-slim" />
      <NumberSelectField
        form={form}
        name="vcpuCount"
        label="vCPUs"
        options={vcpuCounts.map((count) => [count, String(count)] as const)}
      />
      <NumberField form={form} name="disk" label="Disk" unit="GB" step={1} />
      <NumberField
        form={form}
        name="idleMinutes"
        label="Idle timeout"
        unit="min"
        hint="It ends after this long without a command."
      />
      <NumberField
        form={form}
        name="lifetimeMinutes"
        label="Maximum lifetime"
        unit="min"
        hint="It ends after this long in any case."
      />
    </div>
  );
}

function OtherFields({ form }: FieldsProps) {
  return (
    <>
      <TextField form={form} name="name" label="Name" hint="Optional." />
      <TextAreaField
        form={form}
        name="env"
        label="Environment variables"
        hint="One NAME=value per line."
        mono
      />
      <LabelsField form={form} name="labels" />
    </>
  );
}
