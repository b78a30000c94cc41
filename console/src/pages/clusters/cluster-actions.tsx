// The actions for a cluster, in the list and on its page.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Menu } from "../../components/control/menu.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface Props {
  cluster: Schema["Cluster"];
}

export function ClusterActions({ cluster }: Props) {
  const [openDialog, setOpenDialog] = useState<"rename" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <>
      <Menu
        label={`Actions for ${cluster.name}`}
        items={[
          { label: "Rename", onSelect: () => setOpenDialog("rename") },
          { label: "Delete", danger: true, onSelect: () => setOpenDialog("delete") },
        ]}
      />
      {openDialog === "rename" && <RenameCluster cluster={cluster} onClose={close} />}
      {openDialog === "delete" && <DeleteCluster cluster={cluster} onClose={close} />}
    </>
  );
}

interface DialogProps extends Props {
  onClose: () => void;
}

function RenameCluster({ cluster: { id: clusterId, name }, onClose }: DialogProps) {
  const write = useWrite("patch", "/v2/clusters/{clusterId}", {
    success: (changed) => `Cluster renamed to ${changed.name}`,
  });
  const dialog = useSchemaForm({
    schema: "ClusterPatch",
    defaultValues: { name },
    toBody: (values) => ({ name: values.name.trim() }),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Rename ${name}`}
      action="Rename"
      onSubmit={(body) => write.run({ params: { path: { clusterId } }, body })}
    >
      <TextField form={dialog.form} name="name" label="Name" />
    </FormDialog>
  );
}

function DeleteCluster({ cluster: { id: clusterId, name, pods }, onClose }: DialogProps) {
  const navigate = useNavigate();
  const write = useWrite("delete", "/v2/clusters/{clusterId}", {
    success: `Cluster ${name} deleted`,
  });
  const run = async () => {
    await write.run({ params: { path: { clusterId } } });
    await navigate({ to: "/clusters" });
  };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${name}?`}
      action="Delete cluster"
      confirmText={name}
      onConfirm={run}
    >
      <p>Its {pods.total} Pods and their volumes are deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
