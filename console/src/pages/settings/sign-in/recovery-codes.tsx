// The recovery codes, which are shown once: to copy, to download or to print.

import { Check, Copy, Download, Printer } from "lucide-react";
import { useSession } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { useCopy } from "../../../components/control/copy.tsx";
import { Dialog, DialogActions } from "../../../components/layout/dialog.tsx";

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { account } = useSession();
  const title = `Freehold recovery codes for ${account.name} (${window.location.host})`;
  const text = `${title}\nEach code works once.\n\n${codes.join("\n")}\n`;
  const { isCopied, copy } = useCopy(codes.join("\n"));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save your recovery codes"
      lead="Without your authenticator app, each of these codes signs you in once. They are not shown again."
      staysOpen
    >
      <div data-print>
        <p className="mb-3 hidden font-medium print:block">{title}</p>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] gap-x-6 gap-y-1.5 rounded-control border border-line bg-sunken p-3"
        >
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={copy}>
          {isCopied ? (
            <Check aria-hidden className="size-4 text-good" />
          ) : (
            <Copy aria-hidden className="size-4" />
          )}
          {isCopied ? "Copied" : "Copy"}
        </Button>
        <Button asChild>
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="freehold-recovery-codes.txt"
          >
            <Download aria-hidden className="size-4" />
            Download
          </a>
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          Print
        </Button>
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
