// A value as JSON, or a text. A large one is truncated, but copied whole.

import { useMemo } from "react";
import { formatJson } from "../../exact-json.ts";
import { CopyButton } from "../control/copy.tsx";
import { joinClasses } from "../format/class-names.ts";
import { formatBytes } from "../format/units.ts";

const MAX_CHARACTERS = 100_000;

export function Json({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => formatJson(value), [value]);
  return <TextBlock text={text} label={label} />;
}

interface TextBlockProps {
  text: string;
  label: string;
  /** Whether long lines wrap. */
  wraps?: boolean;
}

export function TextBlock({ text, label, wraps = false }: TextBlockProps) {
  const isTruncated = text.length > MAX_CHARACTERS;
  return (
    <div className="relative min-w-0">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={joinClasses(
          "max-h-96 overflow-auto p-4 pr-12 leading-relaxed",
          wraps && "break-words whitespace-pre-wrap",
        )}
      >
        {isTruncated ? text.slice(0, MAX_CHARACTERS) : text}
      </pre>
      {isTruncated && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          Showing the first {formatBytes(MAX_CHARACTERS)} of {formatBytes(text.length)}. The copy
          button copies everything.
        </p>
      )}
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}
