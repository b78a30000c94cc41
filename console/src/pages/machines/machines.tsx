// The machines page of the operator.

import { useState } from "react";
import { Button } from "../../components/control/button.tsx";
import { Page } from "../../components/layout/page.tsx";
import { useCanManageMachines } from "./machine-actions.tsx";
import { MachineBoard } from "./machine-board.tsx";
import { MachineForm } from "./machine-form.tsx";

export function Machines() {
  const [isAdding, setAdding] = useState(false);
  const canManage = useCanManageMachines();
  return (
    <Page
      title="Machines"
      lead="Hosts that run Pods and workers: the servers that run Freehold, and machines added over SSH."
      actions={
        canManage && (
          <Button variant="primary" onClick={() => setAdding(true)}>
            Add machine
          </Button>
        )
      }
    >
      <MachineBoard editable />
      {isAdding && <MachineForm onClose={() => setAdding(false)} />}
    </Page>
  );
}
