// A search field that filters a list as you type.

import { Search } from "lucide-react";
import { joinClasses } from "../format/class-names.ts";
import { TextInput } from "./field.tsx";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Its width. */
  className?: string;
}

export function SearchInput({ label, value, onChange, className = "w-full sm:w-64" }: Props) {
  return (
    <div className={joinClasses("relative", className)}>
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

/** Whether each word of a search occurs in one of the texts. */
export function matchesSearch(search: string, ...texts: (string | null | undefined)[]): boolean {
  const all = texts.filter(Boolean).join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
