// The resources that something is restricted to, chosen by their names; null stands for all.

import { Checkbox } from "./field.tsx";

interface Props {
  /** "Restrict to selected endpoints" */
  label: string;
  resources: { id: string; name?: string }[];
  /** Their ids. */
  selected: string[] | null;
  onChange: (selected: string[] | null) => void;
  error?: string | undefined;
}

export function NameChoices({ label, resources, selected, onChange, error }: Props) {
  return (
    <>
      <Checkbox
        checked={selected !== null}
        onChange={(isRestricted) => onChange(isRestricted ? [] : null)}
        label={label}
      />
      {selected !== null && (
        <div className="relative max-h-40 space-y-2 overflow-y-auto pl-7">
          {withDeleted(resources, selected).map(({ id, name }) => (
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
      {error && <p className="text-bad text-sm">{error}</p>}
    </>
  );
}

/** A deleted resource that is still selected can be left out again. */
function withDeleted(resources: Props["resources"], selected: string[]): Props["resources"] {
  const known = new Set(resources.map(({ id }) => id));
  return [...resources, ...selected.filter((id) => !known.has(id)).map((id) => ({ id }))];
}
