// The resources that something is restricted to, chosen by their names; null stands for all.

import { Checkbox } from "../control/field.tsx";

interface Resource {
  id: string;
  name?: string;
}

interface Props {
  /** "Restrict to selected endpoints" */
  label: string;
  /** Undefined while they load. */
  resources: Resource[] | undefined;
  /** Shown where there is none to select. */
  none?: string;
  /** Their ids. */
  selected: string[] | null;
  onChange: (selected: string[] | null) => void;
  error?: string | undefined;
}

export function NameChoices({ label, resources, none, selected, onChange, error }: Props) {
  const choices = selected && withDeleted(resources ?? [], selected);
  return (
    <>
      <Checkbox
        checked={selected !== null}
        onChange={(isRestricted) => onChange(isRestricted ? [] : null)}
        label={label}
      />
      {none && resources && choices?.length === 0 && <p className="pl-7 text-muted">{none}</p>}
      {choices && choices.length > 0 && (
        <div className="relative max-h-40 space-y-2 overflow-y-auto pl-7">
          {choices.map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={selected.includes(id)}
              onChange={(isSelected) =>
                onChange(isSelected ? [...selected, id] : selected.filter((each) => each !== id))
              }
              label={name || id}
            />
          ))}
        </div>
      )}
      {error && <p className="text-xs text-bad">{error}</p>}
    </>
  );
}

/** A deleted resource that is still selected can be left out again. */
function withDeleted(resources: Resource[], selected: string[]): Resource[] {
  const known = new Set(resources.map(({ id }) => id));
  return [...resources, ...selected.filter((id) => !known.has(id)).map((id) => ({ id }))];
}
