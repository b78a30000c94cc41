// The resources that something is restricted to, chosen by their names; null stands for all.

import {
  type FieldPathByValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from "react-hook-form";
import { Checkbox } from "../control/field.tsx";

interface Resource {
  id: string;
  name?: string;
}

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** The field of their ids. */
  name: FieldPathByValue<Values, string[] | null>;
  /** "Restrict to selected endpoints" */
  label: string;
  /** Undefined while they load. */
  resources: Resource[] | undefined;
  /** Shown where there is none to select. */
  none?: string;
}

export function NameChoices<Values extends FieldValues>(props: Props<Values>) {
  const { form, name: fieldName, label, resources, none } = props;
  const { field, fieldState } = useController({ control: form.control, name: fieldName });
  const selected: string[] | null = field.value;
  const choices = selected && withDeleted(resources ?? [], selected);
  return (
    <>
      <Checkbox
        ref={field.ref}
        checked={selected !== null}
        onChange={(isRestricted) => field.onChange(isRestricted ? [] : null)}
        label={label}
        error={fieldState.error?.message}
      />
      {none && resources && choices?.length === 0 && <p className="pl-7 text-muted">{none}</p>}
      {selected && choices && choices.length > 0 && (
        <div className="relative max-h-40 space-y-2 overflow-y-auto pl-7">
          {choices.map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={selected.includes(id)}
              onChange={(isSelected) =>
                field.onChange(
                  isSelected ? [...selected, id] : selected.filter((each) => each !== id),
                )
              }
              label={name || id}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** A deleted resource that is still selected can be left out again. */
function withDeleted(resources: Resource[], selected: string[]): Resource[] {
  const known = new Set(resources.map(({ id }) => id));
  return [...resources, ...selected.filter((id) => !known.has(id)).map((id) => ({ id }))];
}
