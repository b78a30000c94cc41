// The scaling of an endpoint: how many workers it has, and when.

import type { UseFormReturn } from "react-hook-form";
import { NumberField, SelectField } from "../../../components/form/form-fields.tsx";
import type { Draft } from "./endpoint-draft.ts";

export function ScalingFields({ form }: { form: UseFormReturn<Draft> }) {
  const byDelay = form.watch("scalerType") === "QUEUE_DELAY";
  const isBalanced = form.watch("type") === "LB";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField
        form={form}
        name="workersMin"
        label="Minimum workers"
        hint={`Always running and billed, even without ${isBalanced ? "requests" : "jobs"}.`}
        step={1}
      />
      <NumberField
        form={form}
        name="workersMax"
        label="Maximum workers"
        hint={
          isBalanced
            ? "Set to 0 to pause the endpoint: requests are refused."
            : "Set to 0 to pause the endpoint: jobs stay queued."
        }
        step={1}
      />
      {!isBalanced && (
        <SelectField
          form={form}
          name="scalerType"
          label="Scaling"
          hint="When to add workers."
          options={[
            ["QUEUE_DELAY", "Queue delay"],
            ["REQUEST_COUNT", "Request count"],
          ]}
        />
      )}
      <NumberField
        form={form}
        name="scalerValue"
        label={
          isBalanced ? "Requests per worker" : byDelay ? "Maximum queue delay" : "Jobs per worker"
        }
        {...(byDelay && { unit: "seconds" })}
        step={1}
      />
      <NumberField
        form={form}
        name="idleTimeout"
        label="Idle timeout"
        hint="Longer reduces cold starts, shorter reduces cost."
        unit="seconds"
        step={1}
      />
      <NumberField
        form={form}
        name="executionTimeoutS"
        label={isBalanced ? "Response timeout" : "Execution timeout"}
        hint="0 for no limit, or 5 seconds to 7 days."
        unit="seconds"
        step={1}
      />
    </div>
  );
}
