// The operator's actions for a machine. Each explains its effect before it runs.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useCanView, useCanWrite, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Checkbox } from "../../components/control/field.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { ClusterForm } from "./cluster-form.tsx";
import { MaintenanceForm } from "./maintenance-form.tsx";
import { useUpdateMachine } from "./use-update-machine.ts";

type Machine = Schema["Machine"];

/** True for the operator with write access. */
export function useCanManageMachines(): boolean {
  const { operator } = useSession();
  const mayLook = useCanView("account");
  return useCanWrite() && mayLook && operator;
}

export function MachineActions({ machine }: { machine: Machine }) {
  const [openDialog, setOpenDialog] = useState<
    "drain" | "maintenance" | "cluster" | "host key" | "remove" | null
  >(null);
  const canManage = useCanManageMachines();
  const { id, draining, maintenanceStart, address, hostKey } = machine;
  const isCluster = address?.startsWith("https://") ?? false;
  const close = () => setOpenDialog(null);
  const undrain = useUpdateMachine(id, {
    success: `Machine ${machine.name ?? id} accepts new work`,
    toastError: true,
  });
  if (!canManage) return null;
  return (
    <>
      <Menu
        label={`Actions for ${machine.name ?? id}`}
        items={[
          draining
            ? { label: "Stop draining", onSelect: () => undrain.start({ draining: false }) }
            : { label: "Drain", onSelect: () => setOpenDialog("drain") },
          {
            label: maintenanceStart ? "Edit maintenance" : "Schedule maintenance",
            onSelect: () => setOpenDialog("maintenance"),
          },
          isCluster && { label: "Edit cluster", onSelect: () => setOpenDialog("cluster") },
          hostKey !== undefined && {
            label: "Reset host key",
            onSelect: () => setOpenDialog("host key"),
          },
          address !== undefined && {
            label: "Remove",
            danger: true,
            onSelect: () => setOpenDialog("remove"),
          },
        ]}
      />
      {openDialog === "drain" && <Drain machine={machine} onClose={close} />}
      {openDialog === "maintenance" && <MaintenanceForm machine={machine} onClose={close} />}
      {openDialog === "cluster" && <ClusterForm machine={machine} onClose={close} />}
      {openDialog === "host key" && <ResetHostKey machine={machine} onClose={close} />}
      {openDialog === "remove" && <Remove machine={machine} onClose={close} />}
    </>
  );
}

interface Props {
  machine: Machine;
  onClose: () => void;
}

function Drain({ machine: { id, name = id }, onClose }: Props) {
  const write = useUpdateMachine(id, { success: `Draining machine ${name}` });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Drain ${name}?`}
      action="Drain machine"
      onConfirm={() => write.run({ draining: true })}
    >
      <p>
        No new Pods or workers are placed on this machine, and its stopped Pods cannot be started.
        Workers finish their current jobs and are replaced on other machines with free capacity.
      </p>
      <p>Running Pods and volumes stay. You can stop draining at any time.</p>
    </ConfirmDialog>
  );
}

function ResetHostKey({ machine: { id, name = id, hostKey }, onClose }: Props) {
  const write = useUpdateMachine(id, { success: `Host key of ${name} reset` });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Reset the host key of ${name}?`}
      action="Reset host key"
      onConfirm={() => write.run({ hostKey: null })}
    >
      <p>
        Freehold trusts this host key since the first connection:{" "}
        <code className="wrap-anywhere">{hostKey}</code>
      </p>
      <p>
        After a reset, Freehold trusts the next key that the machine presents. Do this only if you
        reinstalled the machine. An unexpected host key can be a sign of an intercepted connection.
      </p>
    </ConfirmDialog>
  );
}

function Remove({ machine: { id, name = id }, onClose }: Props) {
  const [force, setForce] = useState(false);
  const write = useWrite("delete", "/v1/machines/{machineId}", {
    success: `Machine ${name} removed`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Remove ${name}?`}
      action="Remove machine"
      confirmText={name}
      onConfirm={() => write.run({ params: { path: { machineId: id }, query: { force } } })}
    >
      <p>
        A machine with Pods, workers or network volumes cannot be removed. Containers that still run
        on the machine are not stopped.
      </p>
      <Checkbox
        checked={force}
        onChange={setForce}
        label="Remove everything on it"
        hint="Deletes its Pods and volumes with their data. Jobs of its workers return to their queues."
      />
    </ConfirmDialog>
  );
}
