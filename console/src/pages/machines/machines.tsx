// The machines, for who runs them: what of each is used, and whether it takes anything new.

import { Page } from "../../parts/page.tsx";
import { MachineBoard } from "./board.tsx";

export function Machines() {
  return (
    <Page
      title="Machines"
      lead="Hosts that offer CPUs, GPUs and disks. Each has a Freehold of its own."
    >
      <MachineBoard />
    </Page>
  );
}
