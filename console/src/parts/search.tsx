// Narrows a list as one types.

import { Search } from "lucide-react";
import { TextInput } from "./field.tsx";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchInput({ label, value, onChange }: Props) {
  return (
    <div className="relative w-full sm:w-64">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="pl-8.5"
      />
    </div>
  );
}

/** Whether all words of a search are somewhere in some texts. */
export function fits(search: string, ...texts: (string | null | undefined)[]): boolean {
  const all = texts.filter(Boolean).join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
