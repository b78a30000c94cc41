// The form for a new reservation.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, SelectField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatDateTime, timeZone } from "../../components/format/time.ts";
import { formatQuantity } from "../../components/format/units.ts";
import { serviceNow } from "../../service-clock.ts";
import { HOUR_MS } from "../../time-units.ts";
import { instantOf, toLocalInput } from "../../time-zone.ts";
import { useGpuName } from "../pods/gpu-name.tsx";
import { gpuCountFaults, useOfferedGpus, useViewer } from "./reservation.ts";

interface Draft {
  gpuTypeId: string;
  gpuCount: number;
  /** A local time; empty for now. */
  from: string;
  length: number;
  unit: Unit;
  /** Empty for the caller. */
  projectId: string;
  note: string;
  /** One name=value per line. */
  labels: string;
}

const unitMs = { h: HOUR_MS, d: 24 * HOUR_MS } as const;
type Unit = keyof typeof unitMs;

/** The start and the end; "" for an end that cannot be computed, which the service refuses. */
function spanOf({ from, length, unit }: Pick<Draft, "from" | "length" | "unit">) {
  if (from !== "" && Number.isNaN(Date.parse(`${from}Z`))) return { from, until: "" };
  const start = from === "" ? serviceNow() : Date.parse(instantOf(from));
  const end = new Date(start + length * unitMs[unit]);
  return {
    from: new Date(start).toISOString(),
    until: Number.isNaN(end.getTime()) ? "" : end.toISOString(),
  };
}

/** "2026-11-30T10:00" on a clock that shows 09:20. */
function nextHour(): string {
  const shown = Date.parse(`${toLocalInput(new Date(serviceNow()).toISOString())}Z`);
  return new Date(Math.ceil(shown / HOUR_MS) * HOUR_MS).toISOString().slice(0, 16);
}

function bodyOf({ gpuTypeId, gpuCount, projectId, note, labels, ...times }: Draft) {
  const { from, until } = spanOf(times);
  return {
    gpuTypeId,
    gpuCount,
    until,
    // One that begins now begins when the service has it.
    ...(times.from !== "" && { from }),
    ...(projectId !== "" && { projectId }),
    ...(note.trim() !== "" && { note: note.trim() }),
    ...labelsBody(labels),
  };
}

export function NewReservation({ onClose }: { onClose: () => void }) {
  const offered = useOfferedGpus();
  const gpuName = useGpuName();
  const [first = ""] = offered.keys();
  const write = useWrite("post", "/v1/reservations", {
    success: ({ gpuCount, gpuTypeId }) => `${gpuCount} × ${gpuName(gpuTypeId)} reserved`,
  });
  const dialog = useSchemaForm({
    schema: "ReservationCreate",
    defaultValues: {
      gpuTypeId: first,
      gpuCount: 1,
      projectId: "",
      note: "",
      labels: "",
      from: nextHour(),
      length: 3,
      unit: "h",
    } as Draft,
    toBody: (draft) => bodyOf({ ...draft, gpuTypeId: draft.gpuTypeId || first }),
    fields: { until: "length" },
    fieldsByCode: {
      ...gpuCountFaults,
      forbidden: "projectId",
      project_not_found: "projectId",
    },
    check: ({ length, labels }): { length?: string; labels?: string } => ({
      ...(length > 0 ? {} : { length: "Enter a number above 0" }),
      ...labelErrors(labels),
    }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Reserve GPUs"
      lead="Others cannot take them while the reservation is active. What runs on them when it begins is not stopped."
      action="Reserve"
      onSubmit={(body) => write.run({ body })}
    >
      <SelectField
        form={form}
        name="gpuTypeId"
        label="GPU type"
        {...(offered.size === 0 && { hint: "No machine that is online has GPUs." })}
        options={[...offered].map(
          ([id, { count, virtual }]) =>
            [
              id,
              `${gpuName(id)}, ${virtual ? "simulated" : formatQuantity(count, "GPU")}`,
            ] as const,
        )}
      />
      <NumberField form={form} name="gpuCount" label="GPUs" step={1} min={1} />
      <TimeFields form={form} />
      <HolderField form={form} />
      <TextField form={form} name="note" label="Note" hint="Optional. What it is for." />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

interface FieldsProps {
  form: UseFormReturn<Draft>;
}

function TimeFields({ form }: FieldsProps) {
  const [from, length, unit] = form.watch(["from", "length", "unit"]);
  const { until } = spanOf({ from, length, unit });
  return (
    <>
      <TextField
        form={form}
        name="from"
        label="From"
        hint={`In ${timeZone()}. Empty for now.`}
        type="datetime-local"
      />
      <div className="grid grid-cols-2 gap-4">
        <NumberField
          form={form}
          name="length"
          label="Length"
          {...(until !== "" && { hint: `Until ${formatDateTime(until)}` })}
        />
        <SelectField
          form={form}
          name="unit"
          label="Unit"
          options={[
            ["h", "hours"],
            ["d", "days"],
          ]}
        />
      </div>
    </>
  );
}

/** A member reserves for itself and its own project, an admin and the account for any. */
function HolderField({ form }: FieldsProps) {
  const { role, memberId } = useSession();
  const { projectIds } = useViewer();
  const { data: projects = [] } = api.useQuery("get", "/v1/projects");
  const mayForAny = role === undefined || role === "admin";
  const choices = projects.filter(({ id }) => mayForAny || projectIds.has(id));
  if (choices.length === 0) return null;
  return (
    <SelectField
      form={form}
      name="projectId"
      label="For"
      options={[
        ["", memberId ? "You" : "The whole account"],
        ...choices.map(({ id, name }) => [id, `Project ${name}`] as const),
      ]}
    />
  );
}
