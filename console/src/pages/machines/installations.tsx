// What other installations of Freehold have on a machine, and its removal.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { Checkbox } from "../../components/control/field.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { useCanManageMachines } from "./machine-actions.tsx";

type Installation = Schema["UnknownInstallation"];

interface Props {
  machineId: string;
  installations: Installation[];
}

export function Installations({ machineId, installations }: Props) {
  const [removal, setRemoval] = useState<Installation | null>(null);
  const canManage = useCanManageMachines();
  return (
    <Card title="Other installations" flush>
      <ul aria-label="Other installations" className="divide-y divide-line">
        {installations.map((each) => (
          <li
            key={each.id}
            className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5"
          >
            <div className="min-w-0 text-sm">
              <Copyable text={each.id} />
              <p className="text-muted">
                {formatQuantity(each.containers, "container")} ({each.running} running),{" "}
                {formatQuantity(each.volumes, "volume")}
              </p>
            </div>
            {each.removing ? (
              <span className="text-sm text-muted">Removing</span>
            ) : (
              canManage && (
                <Button small variant="danger" onClick={() => setRemoval(each)}>
                  Remove
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {removal && (
        <RemoveInstallation
          machineId={machineId}
          installation={removal}
          onClose={() => setRemoval(null)}
        />
      )}
    </Card>
  );
}

interface RemoveProps {
  machineId: string;
  installation: Installation;
  onClose: () => void;
}

function RemoveInstallation({ machineId, installation, onClose }: RemoveProps) {
  const [volumes, setVolumes] = useState(false);
  const write = useWrite("delete", "/v1/machines/{machineId}/installations/{installationId}", {
    success: "Removal requested",
    invalidates: ["/v1/machines"],
  });
  const path = { machineId, installationId: installation.id };
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Remove installation ${installation.id}?`}
      action="Remove installation"
      onConfirm={() => write.run({ params: { path, query: { volumes } } })}
    >
      <p>
        Its containers and networks are removed from the machine, running containers included. They
        belong to another service, or to a database that was lost. This cannot be undone.
      </p>
      <Checkbox
        checked={volumes}
        onChange={setVolumes}
        label="Remove its volumes too"
        hint="Deletes their data."
      />
    </ConfirmDialog>
  );
}
