// The settings of a Pod. Changes of anything but its name, labels, lock, idle time and maximum lifetime create a new container.

import type { UseFormReturn } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { useQuote } from "../../../api/quote.ts";
import { useCanWrite } from "../../../api/session.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Button } from "../../../components/control/button.tsx";
import { QuoteNote } from "../../../components/feedback/quote-note.tsx";
import { FormError } from "../../../components/form/form-dialog.tsx";
import { CheckboxField, TextAreaField, TextField } from "../../../components/form/form-fields.tsx";
import { labelErrors, textOfLabels } from "../../../components/form/label-rows.ts";
import { LabelsField } from "../../../components/form/labels-field.tsx";
import {
  formatVariables,
  parseNumber,
  parseVariables,
  splitList,
} from "../../../components/form/text-values.ts";
import { useSchemaForm } from "../../../components/form/use-schema-form.ts";
import { formatHourlyPrice } from "../../../components/format/units.ts";
import { Card } from "../../../components/layout/card.tsx";
import { changedTerms, TermFields, type Terms, termNames, termsOf } from "../terms.tsx";

type Pod = Schema["Pod"];

interface Draft extends Terms {
  name: string;
  labels: string;
  /** Minutes; empty for no rule of its own. */
  idleMinutes: string;
  neverIdle: boolean;
  /** Minutes; empty for no maximum of its own. */
  maxMinutes: string;
  image: string;
  command: string;
  ports: string;
  env: string;
  containerDisk: string;
  volume: string;
}

/** Its own rule; null if it has none, or says never. */
const ruleOf = ({ stopWhenIdle }: Pod) =>
  stopWhenIdle && "minutes" in stopWhenIdle ? stopWhenIdle : null;

const draftOf = (pod: Pod): Draft => ({
  name: pod.name,
  labels: textOfLabels(pod),
  ...termsOf(pod),
  idleMinutes: ruleOf(pod) ? String(ruleOf(pod)?.minutes) : "",
  neverIdle: pod.stopWhenIdle !== undefined && ruleOf(pod) === null,
  maxMinutes: pod.maxLifetime ? String(pod.maxLifetime.minutes) : "",
  image: pod.image,
  command: (pod.dockerStartCmd ?? []).join("\n"),
  ports: pod.ports.join(", "),
  env: formatVariables(pod.env),
  containerDisk: String(pod.containerDiskInGb),
  volume: String(pod.volumeInGb),
});

/** Only what differs. */
function changesOf(pod: Pod, draft: Draft): Schema["PodUpdateInput"] {
  const before = draftOf(pod);
  const changed = (name: keyof Draft) => draft[name] !== before[name];
  return {
    ...(changed("name") && { name: draft.name }),
    ...(changed("labels") && { labels: parseVariables(draft.labels) }),
    ...changedTerms(draft, before),
    ...((changed("idleMinutes") || changed("neverIdle")) && {
      stopWhenIdle: idleRuleOf(pod, draft),
    }),
    ...(changed("maxMinutes") && { maxLifetime: maxLifetimeOf(pod, draft) }),
    ...(changed("image") && { imageName: draft.image }),
    ...(changed("command") && { dockerStartCmd: draft.command.split("\n").filter(Boolean) }),
    ...(changed("ports") && { ports: splitList(draft.ports) }),
    ...(changed("env") && { env: parseVariables(draft.env) }),
    ...(changed("containerDisk") && { containerDiskInGb: parseNumber(draft.containerDisk) }),
    ...(changed("volume") && { volumeInGb: parseNumber(draft.volume) }),
  };
}

/** The limits of the present rule stay. */
function idleRuleOf(pod: Pod, { idleMinutes, neverIdle }: Draft) {
  if (neverIdle) return { never: true as const };
  return idleMinutes === "" ? null : { ...ruleOf(pod), minutes: Number(idleMinutes) };
}

/** Whether it can be extended stays. */
const maxLifetimeOf = ({ maxLifetime }: Pod, { maxMinutes }: Draft) =>
  maxMinutes === "" ? null : { ...maxLifetime, minutes: Number(maxMinutes) };

/** The draft's fields for body fields of another name. */
const bodyFields = {
  imageName: "image",
  dockerStartCmd: "command",
  containerDiskInGb: "containerDisk",
  volumeInGb: "volume",
  stopWhenIdle: "idleMinutes",
  maxLifetime: "maxMinutes",
} as const;

/** What changes without a new container. */
const IN_PLACE = new Set<string>([...termNames, "name", "labels", "stopWhenIdle", "maxLifetime"]);

export function PodSettings({ pod }: { pod: Pod }) {
  const mayWrite = useCanWrite();
  const write = useWrite("patch", "/v1/pods/{podId}", {
    success: ({ name }) => `Pod ${name} updated`,
  });
  const { form, body, submit, error, isSubmitting } = useSchemaForm({
    schema: "PodUpdateInput",
    defaultValues: draftOf(pod),
    toBody: (draft) => changesOf(pod, draft),
    fields: bodyFields,
    check: ({ volume, labels }): { volume?: string; labels?: string } => ({
      ...(Number(volume) < pod.volumeInGb && { volume: `Must be at least ${pod.volumeInGb}` }),
      ...labelErrors(labels),
    }),
  });
  const changes = body(form.watch());
  const names = Object.keys(changes);
  const inPlace = names.every((name) => IN_PLACE.has(name));
  const save = (update: Schema["PodUpdateInput"]) =>
    write.run({ params: { path: { podId: pod.id } }, body: update });
  return (
    <form
      noValidate
      className="max-w-3xl"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(save);
      }}
    >
      <fieldset disabled={!mayWrite}>
        <Card>
          <Fields form={form} hasOwnVolume={!pod.networkVolumeId} />
        </Card>
        <FormError error={error} />
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={isSubmitting} disabled={names.length === 0}>
            Save changes
          </Button>
          {names.length > 0 && inPlace && (
            <p className="text-sm text-muted">Applied without a restart.</p>
          )}
          {names.length > 0 && !inPlace && <Outcome pod={pod} changes={changes} />}
        </div>
      </fieldset>
    </form>
  );
}

/** The consequences of a new container, and its price. */
function Outcome({ pod, changes }: { pod: Pod; changes: Schema["PodUpdateInput"] }) {
  const podId = pod.id;
  const { data: before } = useQuote({ existingPod: { podId } });
  const { data: after, error } = useQuote({ existingPod: { podId, changes } });
  return (
    <div className="text-sm text-muted">
      <p>Creates a new container: the container disk is wiped, the volume is kept.</p>
      {before && after && (
        <p data-testid="price">
          {after.totalPerHr === before.totalPerHr
            ? `Price while running: ${formatHourlyPrice(after.totalPerHr)} (unchanged).`
            : `Price while running: ${formatHourlyPrice(after.totalPerHr)}, currently ${formatHourlyPrice(before.totalPerHr)}.`}
        </p>
      )}
      <QuoteNote quote={after} error={error} />
    </div>
  );
}

interface FieldsProps {
  form: UseFormReturn<Draft>;
  hasOwnVolume: boolean;
}

function Fields({ form, hasOwnVolume }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField form={form} name="name" label="Display name" />
      <TextField form={form} name="image" label="Image" />
      <TextField form={form} name="ports" label="Ports" mono />
      <TextField form={form} name="containerDisk" label="Container disk in GB" type="number" />
      {hasOwnVolume && (
        <TextField
          form={form}
          name="volume"
          label="Volume in GB"
          hint="Can only grow."
          type="number"
        />
      )}
      <TextAreaField
        form={form}
        name="command"
        label="Start command"
        hint="One argument per line. Leave empty for the CMD of the image."
        mono
      />
      <TextAreaField
        form={form}
        name="env"
        label="Environment variables"
        hint="One NAME=value per line."
        className="sm:col-span-2"
        mono
      />
      <LabelsField form={form} name="labels" className="sm:col-span-2" />
      <TextField
        form={form}
        name="idleMinutes"
        label="Stop when idle for, in minutes"
        hint="Empty for the rule of the project, or never."
        type="number"
      />
      <CheckboxField
        form={form}
        name="neverIdle"
        label="Never stop when idle"
        hint="Overrides the minutes, and the rule of the project if that lets Pods opt out."
      />
      <TextField
        form={form}
        name="maxMinutes"
        label="Maximum lifetime, in minutes"
        hint="Stops it so long after its start. A shorter maximum of the project or the operator goes before it."
        type="number"
      />
      <TermFields form={form} />
    </div>
  );
}
