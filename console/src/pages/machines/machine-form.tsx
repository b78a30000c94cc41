// The form that adds a machine over SSH, or a Kubernetes cluster.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextAreaField, TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

export function MachineForm({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/machines", { success: "Machine added. Connecting..." });
  const dialog = useSchemaForm({
    schema: "MachineCreate",
    defaultValues: { address: "", name: "", identity: "", publicIp: "", kubeconfig: "" },
    toBody: ({ address, name, identity, publicIp, kubeconfig }) => ({
      ...(address?.trim() && { address: address.trim() }),
      ...(kubeconfig && { kubeconfig }),
      ...(name && { name }),
      ...(identity && { identity: identity.endsWith("\n") ? identity : `${identity}\n` }),
      ...(publicIp && { publicIp }),
    }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Add a machine"
      lead="The machine needs a container engine and an SSH server. Freehold installs nothing on it. A Kubernetes cluster needs its kubeconfig only; each node becomes a machine."
      action="Add machine"
      wide
      onSubmit={(body) => write.run({ body })}
    >
      <TextField
        form={form}
        name="address"
        label="Address"
        hint="ssh://user@host or ssh://user@host:port/path/to/engine.sock"
        placeholder="ssh://me@gpu1"
        mono
      />
      <TextField form={form} name="name" label="Display name" hint="Optional." />
      <TextAreaField
        form={form}
        name="identity"
        label="Private key"
        hint="Stored encrypted and never shown again. Leave empty to use the SSH keys and agent of the user that runs Freehold."
        placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
        mono
      />
      <TextAreaField
        form={form}
        name="kubeconfig"
        label="Kubeconfig"
        hint="Of a Kubernetes cluster, in place of the address and the key. It must contain its credentials: kubectl config view --flatten --minify --raw"
        placeholder="apiVersion: v1"
        mono
      />
      <TextField
        form={form}
        name="publicIp"
        label="Public IP"
        hint="Address of the public ports of its Pods. Leave empty if they are only reachable on the machine itself."
        placeholder="203.0.113.9"
        mono
      />
    </FormDialog>
  );
}
