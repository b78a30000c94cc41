// Asks before something that cannot be undone or that costs, and says what is lost or what it costs.

import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { FaultNote } from "./fault.tsx";
import { Field, TextInput } from "./field.tsx";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What is lost, and what is kept. */
  children: ReactNode;
  /** The word on the button: what happens. */
  action: string;
  /** Must be typed before the button can be pressed: for what takes much with it. */
  typed?: string;
  /** Nothing is lost by it. */
  harmless?: boolean;
  onConfirm: () => Promise<unknown>;
}

export function Confirm(props: Props) {
  const { open, onOpenChange, title, children, action, typed, harmless, onConfirm } = props;
  const [given, setGiven] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = (now: boolean) => {
    setGiven("");
    setError(null);
    onOpenChange(now);
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      change(false);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title}>
      <div className="space-y-3">{children}</div>
      {typed && (
        <Field className="mt-4" label={`Type ${typed} to go on`}>
          {(tied) => (
            <TextInput {...tied} value={given} onChange={({ target }) => setGiven(target.value)} />
          )}
        </Field>
      )}
      {error !== null && (
        <div className="mt-4">
          <FaultNote error={error} />
        </div>
      )}
      <DialogActions>
        <Button onClick={() => change(false)}>{harmless ? "Not now" : "Keep it"}</Button>
        <Button
          look={harmless ? "primary" : "danger"}
          busy={busy}
          disabled={typed !== undefined && given !== typed}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
