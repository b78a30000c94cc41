// Form fields: a labelled control that is bound to a value of a form and shows its error.

import type { ComponentProps, ReactNode } from "react";
import {
  type FieldPathByValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from "react-hook-form";
import { Checkbox, Field, Select, Switch, TextArea, TextInput } from "../control/field.tsx";

interface Binding<Values extends FieldValues, Value> {
  form: UseFormReturn<Values>;
  name: FieldPathByValue<Values, Value>;
}

interface About {
  label: ReactNode;
  hint?: ReactNode;
  /** The class of the whole field. */
  className?: string;
  /** In a monospaced font. */
  mono?: boolean;
}

function useBinding<Values extends FieldValues, Value>({ form, name }: Binding<Values, Value>) {
  const { field, fieldState } = useController({ control: form.control, name });
  return { field, error: fieldState.error?.message };
}

type Own = keyof About | "form" | "name" | "value" | "onChange";

export function TextField<Values extends FieldValues>(
  props: Binding<Values, string> & About & Omit<ComponentProps<"input">, Own>,
) {
  const { form, name, label, hint, className, mono, ...rest } = props;
  const { field, error } = useBinding({ form, name });
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <TextInput {...rest} {...field} {...control} className={mono ? "font-mono" : ""} />
      )}
    </Field>
  );
}

export function TextAreaField<Values extends FieldValues>(
  props: Binding<Values, string> & About & Omit<ComponentProps<"textarea">, Own>,
) {
  const { form, name, label, hint, className, mono, ...rest } = props;
  const { field, error } = useBinding({ form, name });
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <TextArea {...rest} {...field} {...control} className={mono ? "font-mono" : ""} />
      )}
    </Field>
  );
}

interface NumberProps {
  unit?: string;
}

/** A number, NaN while it is empty. */
export function NumberField<Values extends FieldValues>(
  props: Binding<Values, number> & About & NumberProps & Omit<ComponentProps<"input">, Own>,
) {
  const { form, name, label, hint, className, mono: _, unit, ...rest } = props;
  const { field, error } = useBinding({ form, name });
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <div className="relative">
          <TextInput
            step="any"
            {...rest}
            {...field}
            {...control}
            type="number"
            value={Number.isNaN(field.value) ? "" : field.value}
            onChange={({ target }) => field.onChange(target.valueAsNumber)}
            className={unit ? "pr-20" : ""}
          />
          {unit && (
            <span className="pointer-events-none absolute top-1/2 right-8 -translate-y-1/2 text-sm text-muted">
              {unit}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

interface SelectProps<Value extends string | number> {
  /** Values and their names, in order. */
  options: readonly (readonly [value: Value, name: string])[];
  /** Further options, below a heading. */
  group?: { name: string; options: SelectProps<Value>["options"] };
}

export function SelectField<Values extends FieldValues>(
  props: Binding<Values, string> & About & SelectProps<string>,
) {
  const { form, name, label, hint, className, options, group } = props;
  const { field, error } = useBinding({ form, name });
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <Select {...field} {...control}>
          <Options options={options} />
          {group && group.options.length > 0 && (
            <optgroup label={group.name}>
              <Options options={group.options} />
            </optgroup>
          )}
        </Select>
      )}
    </Field>
  );
}

function Options({ options }: Pick<SelectProps<string>, "options">) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

export function NumberSelectField<Values extends FieldValues>(
  props: Binding<Values, number> & About & SelectProps<number>,
) {
  const { form, name, label, hint, className, options } = props;
  const { field, error } = useBinding({ form, name });
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <Select
          {...field}
          {...control}
          onChange={({ target }) => field.onChange(Number(target.value))}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type ToggleProps = Pick<About, "label" | "hint">;

export function CheckboxField<Values extends FieldValues>(
  props: Binding<Values, boolean> & ToggleProps,
) {
  const { form, name, ...about } = props;
  const { field, error } = useBinding({ form, name });
  const { ref, value: checked, onChange } = field;
  return <Checkbox {...about} {...{ ref, checked, onChange, error }} />;
}

export function SwitchField<Values extends FieldValues>(
  props: Binding<Values, boolean> & ToggleProps,
) {
  const { form, name, ...about } = props;
  const { field, error } = useBinding({ form, name });
  const { ref, value: checked, onChange } = field;
  return <Switch {...about} {...{ ref, checked, onChange, error }} />;
}
