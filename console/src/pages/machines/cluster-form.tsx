// The form that changes a Kubernetes cluster: its name, credentials and settings.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../api/client.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { useUpdateMachine } from "./use-update-machine.ts";

type Settings = NonNullable<Schema["Machine"]["settings"]>;

const ACCESS = [
  ["ReadWriteMany", "ReadWriteMany: on all nodes"],
  ["ReadWriteOnce", "ReadWriteOnce: on the node that used it first"],
] as const;
const PUBLIC_PORTS = [
  ["NodePort", "A node port"],
  ["LoadBalancer", "A load balancer for each Pod"],
] as const;

/** A limit of each account: its name in the settings, and its label. */
const LIMITS = [
  ["pods", "Pods and workers"],
  ["gpus", "GPUs"],
  ["vcpus", "vCPUs"],
  ["memoryGb", "Memory (GiB)"],
] as const;

const valuesOf = ({ name = "", settings = {} }: Schema["Machine"]) => ({
  name,
  kubeconfig: "",
  storageClass: settings.networkVolumes?.storageClass ?? "",
  access: settings.networkVolumes?.access ?? "ReadWriteMany",
  publicPorts: settings.publicPorts ?? "NodePort",
  gpuRuntimeClass: settings.gpuRuntimeClass ?? "",
  callbackUrl: settings.callbackUrl ?? "",
  spot: settings.priorityClasses?.spot ?? "",
  onDemand: settings.priorityClasses?.onDemand ?? "",
  pods: textOf(settings.accountQuota?.pods),
  gpus: textOf(settings.accountQuota?.gpus),
  vcpus: textOf(settings.accountQuota?.vcpus),
  memoryGb: textOf(settings.accountQuota?.memoryGb),
});

function textOf(limit: number | undefined): string {
  return limit === undefined ? "" : String(limit);
}

type Values = ReturnType<typeof valuesOf>;

/** Node ports, and the limits of disks and volumes, have no field and stay as they are. */
function settingsOf(values: Values, { nodePorts, accountQuota }: Settings): Settings {
  const { storageClass, access, publicPorts, gpuRuntimeClass, callbackUrl } = values;
  const { spot, onDemand } = values;
  const { diskGb, storageGb } = accountQuota ?? {};
  const quota = {
    ...(diskGb !== undefined && { diskGb }),
    ...(storageGb !== undefined && { storageGb }),
    ...Object.fromEntries(
      LIMITS.flatMap(([name]) => (values[name] === "" ? [] : [[name, Number(values[name])]])),
    ),
  };
  return {
    ...(storageClass && { networkVolumes: { storageClass, access } }),
    publicPorts,
    ...(gpuRuntimeClass && { gpuRuntimeClass }),
    ...(callbackUrl && { callbackUrl }),
    ...((spot || onDemand) && {
      priorityClasses: { ...(spot && { spot }), ...(onDemand && { onDemand }) },
    }),
    ...(Object.keys(quota).length > 0 && { accountQuota: quota }),
    ...(nodePorts && publicPorts === "NodePort" && { nodePorts }),
  };
}

export function ClusterForm({
  machine,
  onClose,
}: {
  machine: Schema["Machine"];
  onClose: () => void;
}) {
  const write = useUpdateMachine(machine.id, { success: "Cluster changed. Reconnecting..." });
  const dialog = useSchemaForm({
    schema: "MachineUpdate",
    defaultValues: valuesOf(machine),
    toBody: (values) => ({
      name: values.name,
      ...(values.kubeconfig && { kubeconfig: values.kubeconfig }),
      cluster: settingsOf(values, machine.settings ?? {}),
    }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${machine.name ?? machine.id}`}
      lead="Freehold tries the settings before it saves them. Pods and workers that run now keep theirs."
      action="Save cluster"
      wide
      onSubmit={(body) => write.run(body)}
    >
      <TextField form={form} name="name" label="Display name" />
      <TextField
        form={form}
        name="storageClass"
        label="Storage class of network volumes"
        hint="Leave empty if the cluster offers no network volumes."
        placeholder="nfs"
        mono
      />
      <SelectField form={form} name="access" label="Access to network volumes" options={ACCESS} />
      <SelectField
        form={form}
        name="publicPorts"
        label="Public TCP ports are led by"
        options={PUBLIC_PORTS}
      />
      <TextField
        form={form}
        name="gpuRuntimeClass"
        label="RuntimeClass of Pods with GPUs"
        hint="Some clusters, such as k3s, need nvidia. Leave empty for the default."
        placeholder="nvidia"
        mono
      />
      <TextField
        form={form}
        name="callbackUrl"
        label="Address of Freehold in the cluster"
        hint="Leave empty for the public URL."
        placeholder="http://freehold.freehold.svc:8700"
        mono
      />
      <PriorityFields form={form} />
      <LimitFields form={form} />
      <TextAreaField
        form={form}
        name="kubeconfig"
        label="New kubeconfig"
        hint="Replaces the credentials. Leave empty to keep them."
        placeholder="apiVersion: v1"
        mono
      />
    </FormDialog>
  );
}

type Form = { form: UseFormReturn<Values> };

function PriorityFields({ form }: Form) {
  return (
    <>
      <TextField
        form={form}
        name="spot"
        label="PriorityClass of spot Pods"
        hint="Leave empty for the cluster's default."
        mono
      />
      <TextField
        form={form}
        name="onDemand"
        label="PriorityClass of other Pods and of workers"
        hint="Leave empty for the cluster's default."
        mono
      />
    </>
  );
}

function LimitFields({ form }: Form) {
  return (
    <fieldset className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <legend className="mb-2 text-sm">Limits for each account. Leave empty for none.</legend>
      {LIMITS.map(([name, label]) => (
        <TextField key={name} form={form} name={name} label={label} type="number" min={0} />
      ))}
    </fieldset>
  );
}
