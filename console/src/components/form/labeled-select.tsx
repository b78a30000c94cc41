// A select with a label outside of a form: for filters.

import type { ReactNode } from "react";
import { Field, Select } from "../control/field.tsx";

interface Props<Value extends string> {
  label: ReactNode;
  className?: string;
  value: Value;
  onChange: (value: Value) => void;
  /** Values and their names, in order. */
  options: readonly (readonly [value: Value, name: string])[];
}

export function LabeledSelect<Value extends string>(props: Props<Value>) {
  const { label, className, value, onChange, options } = props;
  return (
    <Field label={label} className={className}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={({ target }) => onChange(target.value as Value)}
        >
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
