// A form above the page: what is refused is shown in it, and it closes when it is done.

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { FaultNote } from "./fault.tsx";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  /** The word on the button: what happens. */
  action: string;
  wide?: boolean;
  children: ReactNode;
  onSubmit: () => Promise<unknown>;
}

export function FormDialog(props: Props) {
  const { open, onClose, title, lead, action, wide = false, children, onSubmit } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setError(null);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSubmit();
      close();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onOpenChange={close} title={title} lead={lead} wide={wide}>
      <form onSubmit={(event) => void submit(event)}>
        <div className="space-y-4">{children}</div>
        {error !== null && (
          <div className="mt-4">
            <FaultNote error={error} />
          </div>
        )}
        <DialogActions>
          <Button onClick={close}>Close</Button>
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
