// The machines, for who runs them: what of each is used, and whether it takes anything new.

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { AddMachine } from "./add-machine.tsx";
import { MachineBoard } from "./board.tsx";
import { useMayChangeMachines } from "./machine-actions.tsx";

export function Machines() {
  const [adding, setAdding] = useState(false);
  const may = useMayChangeMachines();
  return (
    <Page
      title="Machines"
      lead="Hosts that offer CPUs, GPUs and disks: those of the servers, and others at addresses of their own."
      actions={
        may && (
          <Button look="primary" onClick={() => setAdding(true)}>
            Add machine
          </Button>
        )
      }
    >
      <MachineBoard changing />
      {adding && <AddMachine onClose={() => setAdding(false)} />}
    </Page>
  );
}
