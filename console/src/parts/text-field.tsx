// The usual fields: a label with a line of text, some lines, or one of several.

import type { ComponentProps, ReactNode } from "react";
import { Field, Select, TextArea, TextInput } from "./field.tsx";

interface About {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  /** Of the whole field. */
  className?: string;
  /** Set in the letters of a terminal. */
  mono?: boolean;
  value: string;
  onChange: (value: string) => void;
}

type Own = keyof About;

export function TextField({
  label,
  hint,
  error,
  className,
  mono,
  onChange,
  ...rest
}: About & Omit<ComponentProps<"input">, Own>) {
  return (
    <Field {...{ label, hint, error, className }}>
      {(tied) => (
        <TextInput
          {...rest}
          {...tied}
          className={mono ? "font-mono" : ""}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  className,
  mono,
  onChange,
  ...rest
}: About & Omit<ComponentProps<"textarea">, Own>) {
  return (
    <Field {...{ label, hint, error, className }}>
      {(tied) => (
        <TextArea
          {...rest}
          {...tied}
          className={mono ? "font-mono" : ""}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<Value extends string> extends Omit<About, "mono" | "value" | "onChange"> {
  value: Value;
  onChange: (value: Value) => void;
  /** Values and their names, in order. */
  options: [value: Value, name: string][];
}

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, error, className, value, onChange, options } = props;
  return (
    <Field {...{ label, hint, error, className }}>
      {(tied) => (
        <Select {...tied} value={value} onChange={(e) => onChange(e.target.value as Value)}>
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
