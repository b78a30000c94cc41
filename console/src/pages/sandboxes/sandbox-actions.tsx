// What can be done with a sandbox: change its limits, or delete it.

import { useState } from "react";
import { useWrite } from "../../api/use-write.ts";
import { Menu } from "../../components/control/menu.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import type { Sandbox } from "./sandbox-state.tsx";

const MINUTE = 60;

export function SandboxActions({ sandbox }: { sandbox: Sandbox }) {
  const [openDialog, setOpenDialog] = useState<"limits" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <>
      <Menu
        label={`Actions for ${sandbox.name}`}
        items={[
          { label: "Change limits", onSelect: () => setOpenDialog("limits") },
          { label: "Delete", danger: true, onSelect: () => setOpenDialog("delete") },
        ]}
      />
      {openDialog === "limits" && <ChangeLimits sandbox={sandbox} onClose={close} />}
      {openDialog === "delete" && <DeleteSandbox sandbox={sandbox} onClose={close} />}
    </>
  );
}

interface DialogProps {
  sandbox: Sandbox;
  onClose: () => void;
}

function ChangeLimits({ sandbox, onClose }: DialogProps) {
  const write = useWrite("patch", "/v2/sandboxes/{sandboxId}", {
    success: `Limits of ${sandbox.name} changed`,
  });
  const dialog = useSchemaForm({
    schema: "SandboxPatch",
    defaultValues: {
      idleMinutes: sandbox.idleTimeoutSeconds / MINUTE,
      lifetimeMinutes: sandbox.maxLifetimeSeconds / MINUTE,
    },
    fields: { idleTimeoutSeconds: "idleMinutes", maxLifetimeSeconds: "lifetimeMinutes" },
    toBody: ({ idleMinutes, lifetimeMinutes }) => ({
      idleTimeoutSeconds: Math.round(idleMinutes * MINUTE),
      maxLifetimeSeconds: Math.round(lifetimeMinutes * MINUTE),
    }),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Limits of ${sandbox.name}`}
      action="Change limits"
      onSubmit={(body) => write.run({ params: { path: { sandboxId: sandbox.id } }, body })}
    >
      <NumberField
        form={dialog.form}
        name="idleMinutes"
        label="Idle timeout"
        unit="min"
        hint="At most 120 minutes."
      />
      <NumberField
        form={dialog.form}
        name="lifetimeMinutes"
        label="Maximum lifetime"
        unit="min"
        hint="Counted from its creation, at most 1,440 minutes."
      />
    </FormDialog>
  );
}

function DeleteSandbox({ sandbox, onClose }: DialogProps) {
  const write = useWrite("delete", "/v2/sandboxes/{sandboxId}", {
    success: `Sandbox ${sandbox.name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${sandbox.name}?`}
      action="Delete sandbox"
      onConfirm={() => write.run({ params: { path: { sandboxId: sandbox.id } } })}
    >
      <p>It ends now, and its files are lost.</p>
    </ConfirmDialog>
  );
}
