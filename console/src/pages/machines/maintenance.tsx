// When somebody works on a machine.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { Field, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { say } from "../../parts/toast.tsx";
import { changeMachine } from "./machine-actions.tsx";

interface Props {
  machine: Schema["Machine"];
  onClose: () => void;
}

export function Maintenance({ machine, onClose }: Props) {
  const { id, name = id, maintenanceStart, maintenanceEnd, maintenanceNote } = machine;
  const [start, setStart] = useState(shown(maintenanceStart));
  const [end, setEnd] = useState(shown(maintenanceEnd));
  const [note, setNote] = useState(maintenanceNote ?? "");
  const save = async () => {
    await changeMachine(id, {
      maintenanceStart: instantOf(start),
      maintenanceEnd: instantOf(end),
      maintenanceNote: note || null,
    });
    say(start ? `Maintenance of ${name} is planned` : `Maintenance of ${name} is called off`);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Maintenance of ${name}`}
      lead="From its beginning to its end nothing new is placed there; what runs goes on. Whoever has a Pod there sees when it is, and the note."
      action="Save"
      onSubmit={save}
    >
      <Field label="From" hint="Empty: none is planned.">
        {(tied) => (
          <TextInput
            {...tied}
            type="datetime-local"
            value={start}
            onChange={({ target }) => setStart(target.value)}
          />
        )}
      </Field>
      <Field label="To" hint="Empty: until it is said.">
        {(tied) => (
          <TextInput
            {...tied}
            type="datetime-local"
            min={start}
            value={end}
            onChange={({ target }) => setEnd(target.value)}
          />
        )}
      </Field>
      <Field label="Note" hint="What is done, for whoever has something there.">
        {(tied) => (
          <TextInput
            {...tied}
            maxLength={1_000}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

/** As the browser's own field has it: in the time of this place, to the minute. */
function shown(instant: string | undefined): string {
  if (!instant) return "";
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const instantOf = (local: string) => (local ? new Date(local).toISOString() : null);
