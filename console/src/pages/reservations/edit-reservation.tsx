// The form for changes of a reservation.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { timeZone } from "../../components/format/time.ts";
import { instantOf, toLocalInput } from "../../time-zone.ts";
import { useGpuName } from "../pods/gpu-name.tsx";
import { gpuCountFaults, type Reservation } from "./reservation.ts";

interface Props {
  reservation: Reservation;
  onClose: () => void;
}

/** The time of a field, if it is another than before; the service refuses what is no time. */
function changedTime(name: "from" | "until", text: string, before: string) {
  if (text === before) return {};
  return { [name]: Number.isNaN(Date.parse(`${text}Z`)) ? text : instantOf(text) };
}

export function EditReservation({ reservation, onClose }: Props) {
  const gpuName = useGpuName();
  const { id, gpuTypeId, gpuCount, note = "" } = reservation;
  const write = useWrite("patch", "/v1/reservations/{reservationId}", {
    success: "Reservation changed",
  });
  const before = {
    gpuCount,
    from: toLocalInput(reservation.from),
    until: toLocalInput(reservation.until),
    note,
    labels: textOfLabels(reservation),
  };
  const dialog = useSchemaForm({
    schema: "ReservationUpdate",
    defaultValues: before,
    toBody: (values) => ({
      ...(values.gpuCount !== gpuCount && { gpuCount: values.gpuCount }),
      ...changedTime("from", values.from, before.from),
      ...changedTime("until", values.until, before.until),
      ...(values.note.trim() !== note && { note: values.note.trim() }),
      ...labelsBody(values.labels, before.labels),
    }),
    fieldsByCode: gpuCountFaults,
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Change ${gpuCount} × ${gpuName(gpuTypeId)}`}
      action="Save changes"
      onSubmit={(body) => write.run({ params: { path: { reservationId: id } }, body })}
    >
      <NumberField form={form} name="gpuCount" label="GPUs" step={1} min={1} />
      <TextField
        form={form}
        name="from"
        label="From"
        hint={`In ${timeZone()}.`}
        type="datetime-local"
      />
      <TextField form={form} name="until" label="Until" type="datetime-local" />
      <TextField form={form} name="note" label="Note" hint="Optional. What it is for." />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}
