// The actions for a cluster, in the list and on its page.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Menu } from "../../components/control/menu.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface Props {
  cluster: Schema["Cluster"];
}

export function ClusterActions({ cluster }: Props) {
  const [openDialog, setOpenDialog] = useState<"edit" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <>
      <Menu
        label={`Actions for ${cluster.name}`}
        items={[
          { label: "Edit", onSelect: () => setOpenDialog("edit") },
          { label: "Delete", danger: true, onSelect: () => setOpenDialog("delete") },
        ]}
      />
      {openDialog === "edit" && <EditCluster cluster={cluster} onClose={close} />}
      {openDialog === "delete" && <DeleteCluster cluster={cluster} onClose={close} />}
    </>
  );
}

interface DialogProps extends Props {
  onClose: () => void;
}

function EditCluster({ cluster, onClose }: DialogProps) {
  const { id: clusterId, name } = cluster;
  const write = useWrite("patch", "/v2/clusters/{clusterId}", {
    success: (changed) => `Cluster ${changed.name} updated`,
  });
  const labels = textOfLabels(cluster);
  const dialog = useSchemaForm({
    schema: "ClusterPatch",
    defaultValues: { name, labels },
    toBody: (values) => ({
      name: values.name.trim(),
      ...labelsBody(values.labels, labels),
    }),
    check: (values) => labelErrors(values.labels),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${name}`}
      action="Save changes"
      onSubmit={(body) => write.run({ params: { path: { clusterId } }, body })}
    >
      <TextField form={dialog.form} name="name" label="Name" />
      <LabelsField form={dialog.form} name="labels" />
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
