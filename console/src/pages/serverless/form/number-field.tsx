// A whole number with its unit.

import type { ReactNode } from "react";
import { Field, TextInput } from "../../../parts/field.tsx";

interface Props {
  label: string;
  hint?: ReactNode;
  unit?: string;
  min: number;
  max?: number;
  value: number;
  onChange: (value: number) => void;
}

export function NumberField({ label, hint, unit, min, max, value, onChange }: Props) {
  return (
    <Field label={label} hint={hint}>
      {(tied) => (
        <div className="relative">
          <TextInput
            {...tied}
            type="number"
            inputMode="numeric"
            required
            min={min}
            max={max}
            step={1}
            value={Number.isNaN(value) ? "" : value}
            onChange={({ target }) => onChange(target.valueAsNumber)}
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
