// A confirmation of an action that cannot be undone or that costs money.

import { type ReactNode, useState } from "react";
import type { WriteState } from "../../api/use-write.ts";
import { Button } from "../control/button.tsx";
import { Field, TextInput } from "../control/field.tsx";
import { ErrorNote } from "../feedback/error-note.tsx";
import { Dialog, DialogActions } from "../layout/dialog.tsx";

interface Props {
  onClose: () => void;
  title: string;
  /** What happens, and what is lost. */
  children: ReactNode;
  /** The text of the confirm button. */
  action: string;
  /** Must be typed to enable the button: for actions that delete much. */
  confirmText?: string;
  /** Whether nothing is lost by it. */
  isHarmless?: boolean;
  /** Whether what it asks about is loaded; by default it needs nothing. */
  isReady?: boolean;
  write: WriteState;
  /** Runs the write; the dialog closes if it succeeds. */
  onConfirm: () => Promise<unknown>;
}

export function ConfirmDialog(props: Props) {
  const { onClose, title, children, action, confirmText, isHarmless, write, onConfirm } = props;
  const { isReady = true } = props;
  const [typedText, setTypedText] = useState("");
  const confirm = () => void onConfirm().then(onClose, () => {}); // the error is in `write`
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <div className="space-y-3">{children}</div>
      {confirmText && (
        <Field className="mt-4" label={`Type ${confirmText} to confirm`}>
          {(control) => (
            <TextInput
              {...control}
              value={typedText}
              onChange={({ target }) => setTypedText(target.value)}
            />
          )}
        </Field>
      )}
      {write.error !== null && (
        <div className="mt-4">
          <ErrorNote error={write.error} />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant={isHarmless ? "primary" : "danger"}
          busy={write.isPending}
          disabled={!isReady || (confirmText !== undefined && typedText !== confirmText)}
          onClick={confirm}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
