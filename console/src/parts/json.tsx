// A value as its JSON. A large one is shown in part, and copied whole.

import { useMemo } from "react";
import { CopyButton } from "./copy.tsx";
import { bytes } from "./units.ts";

const MOST_SHOWN = 100_000;

export function Json({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "", [value]);
  const cut = text.length > MOST_SHOWN;
  return (
    <div className="relative min-w-0">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto p-4 pr-12 leading-relaxed"
      >
        {cut ? text.slice(0, MOST_SHOWN) : text}
      </pre>
      {cut && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          The first {bytes(MOST_SHOWN)} of {bytes(text.length)}; the button copies all of it.
        </p>
      )}
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}
