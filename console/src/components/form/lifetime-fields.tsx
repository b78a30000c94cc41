// The fields of a maximum lifetime that an account or a project sets for its Pods.

import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { CheckboxField, TextField } from "./form-fields.tsx";

export interface LifetimeValues {
  /** Minutes; empty for none. */
  maxMinutes: string;
  extendable: boolean;
}

export const lifetimeValues = (
  maxLifetime?: { minutes: number; extendable?: boolean | undefined } | null,
): LifetimeValues => ({
  maxMinutes: maxLifetime ? String(maxLifetime.minutes) : "",
  extendable: maxLifetime?.extendable ?? true,
});

export const maxLifetimeOf = ({ maxMinutes, extendable }: LifetimeValues) =>
  maxMinutes === "" ? null : { minutes: Number(maxMinutes), extendable };

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  label: string;
  hint: string;
}

export function LifetimeFields<Values extends LifetimeValues & FieldValues>({
  form,
  label,
  hint,
}: Props<Values>) {
  return (
    <>
      <TextField form={form} name={"maxMinutes" as never} label={label} hint={hint} type="number" />
      {form.watch("maxMinutes" as Path<Values>) !== "" && (
        <CheckboxField
          form={form}
          name={"extendable" as never}
          label="Pods can be kept for longer"
          hint="For two hours at a time."
        />
      )}
    </>
  );
}
