// The form that schedules the maintenance of a machine.

import type { Schema } from "../../api/client.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { timeZone } from "../../components/format/time.ts";
import { instantOf, toLocalInput } from "../../time-zone.ts";
import { useUpdateMachine } from "./use-update-machine.ts";

interface Props {
  machine: Schema["Machine"];
  onClose: () => void;
}

export function MaintenanceForm({ machine, onClose }: Props) {
  const { id, name = id, maintenanceStart, maintenanceEnd, maintenanceNote = "" } = machine;
  const update = useUpdateMachine(id, {
    success: ({ maintenanceStart: start }) =>
      start ? `Maintenance of ${name} scheduled` : `Maintenance of ${name} cancelled`,
  });
  const dialog = useSchemaForm({
    schema: "MachineUpdate",
    defaultValues: {
      maintenanceStart: toLocalInput(maintenanceStart),
      maintenanceEnd: toLocalInput(maintenanceEnd),
      maintenanceNote,
    },
    toBody: (values) => ({
      maintenanceStart: toInstant(values.maintenanceStart),
      maintenanceEnd: toInstant(values.maintenanceEnd),
      maintenanceNote: values.maintenanceNote || null,
    }),
    check: ({ maintenanceStart: start, maintenanceEnd: end }): { maintenanceEnd?: string } =>
      start && end && end <= start ? { maintenanceEnd: "Must be after the start" } : {},
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Schedule maintenance of ${name}`}
      lead="During maintenance, nothing new is placed on the machine; running Pods continue. Owners of Pods on it see the times and the note."
      action="Save changes"
      onSubmit={(body) => update.run(body)}
    >
      <TextField
        form={form}
        name="maintenanceStart"
        label={`Start, ${timeZone()}`}
        hint="Leave empty to cancel maintenance."
        type="datetime-local"
      />
      <TextField
        form={form}
        name="maintenanceEnd"
        label={`End, ${timeZone()}`}
        hint="Leave empty for no fixed end."
        type="datetime-local"
      />
      <TextField
        form={form}
        name="maintenanceNote"
        label="Note"
        hint="Shown to owners of Pods on this machine."
      />
    </FormDialog>
  );
}

const toInstant = (local: string) => (local ? instantOf(local) : null);
