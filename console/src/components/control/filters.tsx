// Filters above a list: a select, and a text that is applied when typing pauses.

import { useEffect, useState } from "react";
import { Select } from "./field.tsx";
import { SearchInput } from "./search-input.tsx";

interface Props {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

interface SelectProps extends Props {
  /** The name of the option without a filter. */
  all: string;
  options: readonly (readonly [value: string, name: string])[];
}

export function FilterSelect({ label, all, value = "", onChange, options }: SelectProps) {
  return (
    <Select
      aria-label={label}
      className="w-auto! max-w-56 max-sm:min-w-0 max-sm:max-w-none max-sm:flex-[1_1_40%]"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{all}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Select>
  );
}

const TYPING_MS = 300;

interface TextProps extends Props {
  /** Shorter texts are not applied. */
  minLength?: number;
}

export function FilterText({ label, value = "", onChange, minLength = 1 }: TextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the text changes
  useEffect(() => {
    const trimmed = text.trim();
    if (trimmed === value || (trimmed !== "" && trimmed.length < minLength)) return;
    const timer = setTimeout(() => onChange(trimmed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const width = "max-sm:min-w-0 max-sm:flex-[1_1_40%] sm:min-w-32 sm:max-w-64 sm:flex-1";
  return <SearchInput label={label} value={text} onChange={setText} className={width} />;
}
