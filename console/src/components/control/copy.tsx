// Texts with a copy button.

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { showErrorToast } from "../../toast.tsx";
import { joinClasses } from "../format/class-names.ts";
import { IconButton } from "./button.tsx";

interface CopyProps {
  text: string;
  label?: string;
  small?: boolean;
}

/** Copies a text; `isCopied` for a moment afterward. */
export function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return { isCopied, copy: () => void copyText(text).then(setCopied) };
}

export function CopyButton({ text, label = "Copy", small = false }: CopyProps) {
  const size = small ? "size-3" : "size-4";
  const { isCopied, copy } = useCopy(text);
  return (
    <IconButton small={small} label={isCopied ? "Copied" : label} onClick={copy}>
      {isCopied ? <Check className={`${size} text-good`} /> : <Copy className={size} />}
    </IconButton>
  );
}

/** A command, or a text of several lines. */
export function Code({ text, className }: { text: string; className?: string }) {
  return (
    <div
      className={joinClasses(
        "relative min-w-0 rounded-control border border-line bg-sunken text-left",
        className,
      )}
    >
      {/* It scrolls sideways, so it must be focusable. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-12 leading-relaxed">
        {text}
      </pre>
      <div className="absolute top-px right-px rounded-control bg-sunken p-1">
        <CopyButton text={text} />
      </div>
    </div>
  );
}

/** An inline id or address. */
export function Copyable({ text, shown = text }: { text: string; shown?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="min-w-0 truncate">{shown}</code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  );
}

/** Resolves to whether the browser allowed it; a toast says if not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await writeClipboard(text);
    return true;
  } catch {
    showErrorToast("The browser does not allow copying");
    return false;
  }
}

/** Browsers offer `navigator.clipboard` over TLS and on loopback only. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  // A dialog or a menu takes the focus back from what is outside it, and the selection with it.
  (focused?.closest("[role=dialog], [role=menu]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error("the browser does not allow it");
}
