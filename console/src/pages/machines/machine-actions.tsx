// What the operator does with a machine; each says beforehand what it does to what runs there.

import { useState } from "react";
import { type Schema, service } from "../../api/client.ts";
import { useMayLook, useMayWrite, useSelf } from "../../api/self.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Checkbox } from "../../parts/field.tsx";
import { Menu } from "../../parts/menu.tsx";
import { say } from "../../parts/toast.tsx";
import { Maintenance } from "./maintenance.tsx";

type Machine = Schema["Machine"];

export async function changeMachine(id: string, body: Schema["MachineUpdate"]): Promise<void> {
  const { error } = await service.PATCH("/v1/machines/{machineId}", {
    params: { path: { machineId: id } },
    // The client takes what can only be null for what is only read.
    body: body as Omit<typeof body, "hostKey">,
  });
  if (error) throw error;
}

/** True for the operator with a key that may write. */
export function useMayChangeMachines(): boolean {
  const { operator } = useSelf();
  const mayLook = useMayLook("account");
  return useMayWrite() && mayLook && operator;
}

export function MachineActions({ machine }: { machine: Machine }) {
  const [asked, setAsked] = useState<"drain" | "maintenance" | "host key" | "remove" | null>(null);
  const may = useMayChangeMachines();
  const { id, draining, maintenanceStart, address, hostKey } = machine;
  const close = () => setAsked(null);
  if (!may) return null;
  const undrain = async () => {
    await changeMachine(id, { draining: false });
    say(`Machine ${machine.name ?? id} takes new work again`);
  };
  return (
    <>
      <Menu
        label={`Actions for ${machine.name ?? id}`}
        items={[
          draining
            ? { label: "Take new work again", onSelect: () => void undrain() }
            : { label: "Drain", onSelect: () => setAsked("drain") },
          {
            label: maintenanceStart ? "Change maintenance" : "Plan maintenance",
            onSelect: () => setAsked("maintenance"),
          },
          hostKey !== undefined && {
            label: "Forget its host key",
            onSelect: () => setAsked("host key"),
          },
          address !== undefined && {
            label: "Remove",
            danger: true,
            onSelect: () => setAsked("remove"),
          },
        ]}
      />
      {asked === "drain" && <Drain machine={machine} onClose={close} />}
      {asked === "maintenance" && <Maintenance machine={machine} onClose={close} />}
      {asked === "host key" && <ForgetHostKey machine={machine} onClose={close} />}
      {asked === "remove" && <Remove machine={machine} onClose={close} />}
    </>
  );
}

interface Props {
  machine: Machine;
  onClose: () => void;
}

function Drain({ machine: { id, name = id }, onClose }: Props) {
  const drain = async () => {
    await changeMachine(id, { draining: true });
    say(`Machine ${name} is drained`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Drain ${name}?`}
      action="Drain machine"
      onConfirm={drain}
    >
      <p>
        Nothing new is placed there, and no stopped Pod is started there. Workers finish the jobs
        they have and end; others take their place elsewhere, where there is room.
      </p>
      <p>Pods that run stay, and so do volumes. It can be undone at any time.</p>
    </Confirm>
  );
}

function ForgetHostKey({ machine: { id, name = id, hostKey }, onClose }: Props) {
  const forget = async () => {
    await changeMachine(id, { hostKey: null });
    say(`The host key of ${name} is forgotten`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Forget the host key of ${name}?`}
      action="Forget it"
      onConfirm={forget}
    >
      <p>
        Its SSH server showed this key first, and no other has been taken since:{" "}
        <code className="wrap-anywhere">{hostKey}</code>
      </p>
      <p>
        The next key that it shows is kept in its place. Do this where the machine was set up anew;
        where you know of no reason for another key, somebody may stand between you and it.
      </p>
    </Confirm>
  );
}

function Remove({ machine: { id, name = id }, onClose }: Props) {
  const [force, setForce] = useState(false);
  const remove = async () => {
    const { error } = await service.DELETE("/v1/machines/{machineId}", {
      params: { path: { machineId: id }, query: { force } },
    });
    if (error) throw error;
    say(`Machine ${name} is removed`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Remove ${name}?`}
      action="Remove machine"
      typed={name}
      onConfirm={remove}
    >
      <p>
        It is refused while Pods, workers or network volumes are there. What still runs on the
        machine itself is left alone.
      </p>
      <Checkbox
        checked={force}
        onChange={setForce}
        label="With all that is there"
        hint="Its Pods and volumes are gone for good, with their data, and its workers' jobs go back to their queues."
      />
    </Confirm>
  );
}
