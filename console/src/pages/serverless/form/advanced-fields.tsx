// The advanced settings of an endpoint: how long jobs are kept, and which failed attempts are tried again.

import type { UseFormReturn } from "react-hook-form";
import { Checkbox } from "../../../components/control/field.tsx";
import { NumberField, SwitchField } from "../../../components/form/form-fields.tsx";
import { MoreFields } from "../../../components/form/more-fields.tsx";
import type { Draft } from "./endpoint-draft.ts";
import { retryOutcomes } from "./retry-draft.ts";

interface Props {
  form: UseFormReturn<Draft>;
}

export function AdvancedFields({ form }: Props) {
  return (
    <MoreFields form={form} title="Retention and retries">
      <div className="grid gap-4 sm:grid-cols-2">
        <RetentionFields form={form} />
        <SwitchField
          form={form}
          name="hasRetryPolicy"
          label="Retry policy"
          hint="Without one, a job is tried once more if its worker is lost."
        />
        {form.watch("hasRetryPolicy") && <RetryFields form={form} />}
      </div>
    </MoreFields>
  );
}

function RetentionFields({ form }: Props) {
  return (
    <>
      <NumberField
        form={form}
        name="resultRetentionS"
        label="Result retention"
        hint="How long clients can read results. 0 for the default: 30 minutes, runsync 1 minute."
        unit="seconds"
        step={1}
      />
      <NumberField
        form={form}
        name="failureRetentionS"
        label="Failure retention"
        hint="How long clients can read failed and cancelled jobs. 0 for the default."
        unit="seconds"
        step={1}
      />
      <NumberField
        form={form}
        name="deadLetterRetentionH"
        label="Dead-letter retention"
        hint="How long you can still retry failed jobs after their end. 0 for no longer than clients can read them."
        unit="hours"
      />
    </>
  );
}

function RetryFields({ form }: Props) {
  return (
    <>
      <OutcomeField form={form} />
      <NumberField
        form={form}
        name="retryAttempts"
        label="Attempts"
        hint="In total, the first one included."
        step={1}
      />
      <NumberField
        form={form}
        name="quarantineAfter"
        label="Quarantine after"
        hint="A job that ended this many workers is not tried again. 0 for no quarantine."
        unit="workers"
        step={1}
      />
      <NumberField
        form={form}
        name="retryDelayS"
        label="First pause"
        hint="Before the second attempt."
        unit="seconds"
      />
      <NumberField
        form={form}
        name="retryFactor"
        label="Back-off factor"
        hint="Each further pause is this many times as long."
      />
      <NumberField form={form} name="retryMaxDelayS" label="Longest pause" unit="seconds" />
      <SwitchField
        form={form}
        name="retryJitter"
        label="Jitter"
        hint="Draws each pause between its half and the whole, so that jobs do not return together."
      />
    </>
  );
}

function OutcomeField({ form }: Props) {
  const selected = form.watch("retryOutcomes");
  const select = (outcome: string, on: boolean) =>
    retryOutcomes
      .map(([each]) => each)
      .filter((each) => (each === outcome ? on : selected.includes(each)));
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 text-sm font-medium">Retry after</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {retryOutcomes.map(([outcome, name]) => (
          <Checkbox
            key={outcome}
            checked={selected.includes(outcome)}
            onChange={(on) => form.setValue("retryOutcomes", select(outcome, on))}
            label={name}
          />
        ))}
      </div>
    </fieldset>
  );
}
