// The form for a new notification rule and for changes of one.

import { type UseFormReturn, useController } from "react-hook-form";
import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Checkbox } from "../../components/control/field.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, SelectField, TextField } from "../../components/form/form-fields.tsx";
import { NameChoices } from "../../components/form/name-choices.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import {
  type EventKind,
  eventNames,
  isAboutEndpoints,
  isAboutPods,
  operatorKinds,
} from "./event-kinds.ts";
import {
  channelNames,
  type Rule,
  type RuleValues,
  ruleBody,
  ruleErrors,
  valuesOf,
} from "./rule-values.ts";

export function NewRule({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/notification-rules", { success: "Rule created" });
  const dialog = useSchemaForm({
    schema: "NotificationRuleCreate",
    defaultValues: valuesOf(),
    toBody: ruleBody,
    check: (values) => ruleErrors(values),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New notification rule"
      action="Create rule"
      onSubmit={(body) => write.run({ body })}
    >
      <RuleFields form={dialog.form} />
    </FormDialog>
  );
}

export function EditRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const path = "/v1/notification-rules/{notificationRuleId}";
  const write = useWrite("patch", path, { success: "Rule updated" });
  const dialog = useSchemaForm({
    schema: "NotificationRuleUpdate",
    defaultValues: valuesOf(rule),
    toBody: (values: RuleValues): Schema["NotificationRuleUpdate"] => ruleBody(values),
    check: (values) => ruleErrors(values, rule),
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Edit notification rule"
      action="Save changes"
      onSubmit={(body) => write.run({ params: { path: { notificationRuleId: rule.id } }, body })}
    >
      <RuleFields form={dialog.form} rule={rule} />
    </FormDialog>
  );
}

type Form = UseFormReturn<RuleValues>;

function RuleFields({ form, rule }: { form: Form; rule?: Rule }) {
  return (
    <>
      <TextField form={form} name="name" label="Name" placeholder="On call" />
      <EventChoices form={form} />
      <Restrictions form={form} />
      {form.watch("events").includes("jobs_failing") && <FailureFields form={form} />}
      <SelectField form={form} name="type" label="Channel" options={Object.entries(channelNames)} />
      <ChannelFields form={form} {...(rule && { rule })} />
    </>
  );
}

function EventChoices({ form }: { form: Form }) {
  const { data: self } = api.useQuery("get", "/v1/session");
  const { field, fieldState } = useController({ control: form.control, name: "events" });
  const { value: selected } = field;
  const error = fieldState.error?.message;
  const kinds = (Object.keys(eventNames) as EventKind[]).filter(
    (kind) => !operatorKinds.includes(kind) || self?.operator,
  );
  const change = (kind: EventKind, isSelected: boolean) =>
    field.onChange(isSelected ? [...selected, kind] : selected.filter((each) => each !== kind));
  return (
    <fieldset ref={field.ref} tabIndex={-1} className="rounded-control">
      <legend className="mb-2 font-medium">Events</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            checked={selected.includes(kind)}
            onChange={(isSelected) => change(kind, isSelected)}
            label={eventNames[kind]}
          />
        ))}
      </div>
      {error && <p className="mt-2 text-bad text-sm">{error}</p>}
    </fieldset>
  );
}

/** The choice of the resources that the selected events are about. */
function Restrictions({ form }: { form: Form }) {
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints");
  const { data: pods } = api.useQuery("get", "/v1/pods");
  const events = form.watch("events");
  return (
    <>
      {isAboutPods(events) && (
        <NameChoices form={form} name="podIds" label="Restrict to selected Pods" resources={pods} />
      )}
      {isAboutEndpoints(events) && (
        <NameChoices
          form={form}
          name="endpointIds"
          label="Restrict to selected endpoints"
          resources={endpoints}
        />
      )}
    </>
  );
}

function FailureFields({ form }: { form: Form }) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <NumberField form={form} name="count" label="Failed jobs, at least" />
      <NumberField form={form} name="percent" label="Share in percent" placeholder="any" />
      <NumberField form={form} name="windowMinutes" label="Within minutes" />
    </div>
  );
}

function ChannelFields({ form, rule }: { form: Form; rule?: Rule }) {
  const type = form.watch("type");
  const hasSecret = rule?.channel.type === type && rule.channel.hasSecret;
  const secretHint = hasSecret ? "Leave it empty to keep the present one." : "Optional.";
  if (type === "email") {
    return (
      <TextField
        form={form}
        name="to"
        label="Recipients"
        hint="Up to 10 addresses, separated by commas."
        placeholder="ada@example.org"
      />
    );
  }
  if (type === "slack") {
    const hint = hasSecret
      ? secretHint
      : "The address of an incoming webhook. It is not shown again.";
    return (
      <TextField form={form} name="webhookUrl" label="Webhook URL" type="password" hint={hint} />
    );
  }
  if (type === "ntfy") {
    return (
      <>
        <TextField form={form} name="topic" label="Topic" placeholder="my-gpus" />
        <TextField form={form} name="url" label="Server" placeholder="https://ntfy.sh" />
        <TextField
          form={form}
          name="token"
          label="Access token"
          type="password"
          hint={secretHint}
        />
      </>
    );
  }
  const signing = hasSecret
    ? secretHint
    : "Optional. Without one, the account's webhook secret signs.";
  return (
    <>
      <TextField form={form} name="url" label="URL" placeholder="https://example.org/hook" />
      <TextField form={form} name="secret" label="Signing secret" type="password" hint={signing} />
    </>
  );
}
