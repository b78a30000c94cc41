// Texts that are there to be copied.

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? "Copied" : label}
      onClick={() => void copy(text).then(() => setCopied(true))}
    >
      {copied ? <Check className="size-4 text-good" /> : <Copy className="size-4" />}
    </IconButton>
  );
}

/** A command or a text of several lines. */
export function Code({ text, className }: { text: string; className?: string }) {
  return (
    <div
      className={classes(
        "relative min-w-0 rounded-control border border-line bg-sunken text-left",
        className,
      )}
    >
      {/* It scrolls sideways, so the keyboard must reach it. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-12 leading-relaxed">
        {text}
      </pre>
      <div className="absolute top-1 right-1 rounded-control bg-sunken">
        <CopyButton text={text} />
      </div>
    </div>
  );
}

/** An id or an address among other things. */
export function Copyable({ text, shown = text }: { text: string; shown?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="min-w-0 truncate">{shown}</code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  );
}

/** Where the page was not loaded over TLS or from this machine, browsers offer the old way only. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
