// Fields of a Pod that change without a new container and have a control of their own, in the form that creates a Pod and in its
// settings. A new one needs only this file.

import type { FieldValues, UseFormReturn } from "react-hook-form";
import type { Schema } from "../../api/client.ts";
import { CheckboxField } from "../../components/form/form-fields.tsx";

export interface Terms {
  locked: boolean;
}

export const defaultTerms: Terms = { locked: false };

export const termsOf = ({ locked }: Schema["Pod"]): Terms => ({ locked });

export const termNames = Object.keys(defaultTerms) as (keyof Terms)[];

/** Only what differs. */
export function changedTerms(draft: Terms, before: Terms): Partial<Terms> {
  const changed = termNames.filter((name) => draft[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
}

export function TermFields<Values extends FieldValues & Terms>(props: Props<Values>) {
  // A form's type does not vary with its values, though these fields are part of them.
  const form = props.form as unknown as UseFormReturn<Terms>;
  return (
    <CheckboxField
      form={form}
      name="locked"
      label="Locked"
      hint="Prevents stop, restart and reset."
    />
  );
}
