// A modal dialog.

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "../control/button.tsx";
import { joinClasses } from "../format/class-names.ts";
import { useDialogFocus } from "./use-dialog-focus.ts";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  wide?: boolean;
  /** Its top stays where it is while its height changes. */
  atTop?: boolean;
  /** Whether a click beside it leaves it open: it has input that would be lost. */
  staysOpen?: boolean;
  children: ReactNode;
}

export function Dialog({ open, ...rest }: Props) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog(props: Omit<Props, "open">) {
  const { onOpenChange, title, lead, wide, atTop, staysOpen, children } = props;
  const focus = useDialogFocus();
  return (
    <Radix.Root open onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-backdrop" />
        <Radix.Content
          {...(lead ? {} : { "aria-describedby": undefined })}
          {...focus}
          onPointerDownOutside={(event) => staysOpen && event.preventDefault()}
          className={joinClasses(
            "fixed left-1/2 z-50 flex w-[calc(100vw-2rem)] -translate-x-1/2 flex-col",
            atTop ? "top-[12dvh] max-h-[80dvh]" : "top-1/2 max-h-[88dvh] -translate-y-1/2",
            "rounded-card border border-line bg-raised shadow-raised",
            wide ? "max-w-3xl" : "max-w-lg",
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <div>
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {lead && (
                <Radix.Description className="mt-0.5 text-sm text-muted">{lead}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X className="size-4" />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="min-h-0 overflow-y-auto px-5 pt-4 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div data-dialog-actions className="mt-5 flex flex-wrap justify-end gap-2">
      {children}
    </div>
  );
}
