// A dialog for a secret that is shown once.

import { Button } from "../control/button.tsx";
import { Code } from "../control/copy.tsx";
import { Dialog, DialogActions } from "../layout/dialog.tsx";

interface Props {
  title: string;
  lead: string;
  /** Null closes the dialog. */
  text: string | null;
  onClose: () => void;
}

export function SecretDialog({ title, lead, text, onClose }: Props) {
  return (
    <Dialog open={text !== null} onOpenChange={onClose} title={title} lead={lead} staysOpen>
      <Code text={text ?? ""} />
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
