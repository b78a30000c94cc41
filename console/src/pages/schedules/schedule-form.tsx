// The form for a new schedule and for changes of one.

import { keepPreviousData } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { AbsoluteTime } from "../../components/data/relative-time.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import {
  NumberField,
  SelectField,
  TextAreaField,
  TextField,
} from "../../components/form/form-fields.tsx";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { MoreFields } from "../../components/form/more-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { useDebounced } from "../../use-debounced.ts";
import { cronInWords } from "./cron-in-words.ts";
import {
  checkValues,
  concurrencyPolicies,
  createBody,
  missedRunPolicies,
  type Schedule,
  type ScheduleValues,
  updateBody,
  valuesOf,
} from "./schedule-values.ts";

const fields = { catchUpWindowMs: "catchUpMinutes" } as const;

interface NewProps {
  /** The only choice, if the form belongs to one endpoint. */
  endpointId?: string | undefined;
  onClose: () => void;
}

export function NewSchedule({ endpointId, onClose }: NewProps) {
  const write = useWrite("post", "/v1/schedules", {
    success: ({ name }) => `Schedule ${name} created`,
  });
  const dialog = useSchemaForm({
    schema: "ScheduleCreateInput",
    defaultValues: valuesOf(undefined, endpointId),
    fields,
    toBody: createBody,
    check: (values) => ({
      ...checkValues(values),
      ...(values.endpointId === "" && { endpointId: "Select an endpoint." }),
    }),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New schedule"
      action="Create schedule"
      wide
      onSubmit={(body) => write.run({ body })}
    >
      {endpointId === undefined && <EndpointField form={dialog.form} />}
      <ScheduleFields form={dialog.form} />
    </FormDialog>
  );
}

export function EditSchedule({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const write = useWrite("patch", "/v1/schedules/{scheduleId}", {
    success: ({ name }) => `Schedule ${name} updated`,
  });
  const before = valuesOf(schedule);
  const dialog = useSchemaForm({
    schema: "ScheduleUpdateInput",
    defaultValues: before,
    fields,
    toBody: (values: ScheduleValues) => updateBody(values, before),
    check: checkValues,
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${schedule.name}`}
      action="Save changes"
      wide
      onSubmit={(body) => write.run({ params: { path: { scheduleId: schedule.id } }, body })}
    >
      <ScheduleFields form={dialog.form} />
    </FormDialog>
  );
}

interface FieldsProps {
  form: UseFormReturn<ScheduleValues>;
}

function EndpointField({ form }: FieldsProps) {
  const { data: endpoints = [] } = api.useQuery("get", "/v1/endpoints");
  const queues = endpoints.filter(({ type }) => type === "QB");
  return (
    <SelectField
      form={form}
      name="endpointId"
      label="Endpoint"
      options={[["", "Select an endpoint"], ...queues.map(({ id, name }) => [id, name] as const)]}
    />
  );
}

function ScheduleFields({ form }: FieldsProps) {
  return (
    <>
      <TextField form={form} name="name" label="Name" placeholder="nightly" />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          form={form}
          name="cron"
          label="Cron expression"
          hint="Minute, hour, day of the month, month, day of the week."
          mono
        />
        <TextField form={form} name="timeZone" label="Time zone" list="time-zones" />
        <datalist id="time-zones">
          {Intl.supportedValuesOf("timeZone").map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <NextRuns {...form.watch()} />
      <TextAreaField
        form={form}
        name="input"
        label="Input"
        hint="A JSON object: the input of each job."
        rows={5}
        mono
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          form={form}
          name="concurrencyPolicy"
          label="If an earlier job has not ended"
          options={concurrencyPolicies}
        />
        <SelectField
          form={form}
          name="missedRunPolicy"
          label="Missed runs"
          options={missedRunPolicies}
        />
      </div>
      {form.watch("missedRunPolicy") !== "SKIP" && (
        <NumberField
          form={form}
          name="catchUpMinutes"
          label="Catch-up window"
          unit="min"
          hint="Missed runs that are longer ago do not run."
        />
      )}
      <MoreFields form={form} title="Advanced">
        <AdvancedFields form={form} />
      </MoreFields>
    </>
  );
}

function AdvancedFields({ form }: FieldsProps) {
  return (
    <div className="space-y-4">
      <TextField form={form} name="webhook" label="Webhook" hint="Called when a job ends." />
      <TextAreaField
        form={form}
        name="policy"
        label="Policy of its jobs"
        hint='JSON, such as {"priority": 5, "retry": {"maxAttempts": 3}}.'
        rows={3}
        mono
      />
      <LabelsField form={form} name="labels" />
    </div>
  );
}

const looksComplete = (cron: string) => cron.startsWith("@") || cron.split(/\s+/).length === 5;

/** The next instants of the expression as it is typed. */
function NextRuns({ cron, timeZone }: Pick<ScheduleValues, "cron" | "timeZone">) {
  const query = useDebounced(JSON.stringify({ cron: cron.trim(), timeZone: timeZone.trim() }));
  const { data, isError } = api.useQuery(
    "get",
    "/v1/schedule-preview",
    { params: { query: JSON.parse(query) } },
    { enabled: looksComplete(JSON.parse(query).cron), placeholderData: keepPreviousData },
  );
  if (!data || isError) return null;
  const words = cronInWords(cron);
  return (
    <p className="text-sm text-muted">
      {words && `${words}. `}Next runs:{" "}
      {data.nextRuns.map((at, n) => (
        <span key={at}>
          {n > 0 && ", "}
          <AbsoluteTime at={at} />
        </span>
      ))}
    </p>
  );
}
