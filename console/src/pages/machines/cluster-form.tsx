// The form that changes a Kubernetes cluster: its name, credentials and settings.

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

const valuesOf = ({ name = "", settings = {} }: Schema["Machine"]) => ({
  name,
  kubeconfig: "",
  storageClass: settings.networkVolumes?.storageClass ?? "",
  access: settings.networkVolumes?.access ?? "ReadWriteMany",
  publicPorts: settings.publicPorts ?? "NodePort",
  gpuRuntimeClass: settings.gpuRuntimeClass ?? "",
  callbackUrl: settings.callbackUrl ?? "",
});

type Values = ReturnType<typeof valuesOf>;

/** Node ports and priority classes have no field, and stay as they are. */
function settingsOf(values: Values, { nodePorts, priorityClasses }: Settings): Settings {
  const { storageClass, access, publicPorts, gpuRuntimeClass, callbackUrl } = values;
  return {
    ...(storageClass && { networkVolumes: { storageClass, access } }),
    publicPorts,
    ...(gpuRuntimeClass && { gpuRuntimeClass }),
    ...(callbackUrl && { callbackUrl }),
    ...(priorityClasses && { priorityClasses }),
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
