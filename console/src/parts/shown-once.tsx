// Something secret that is shown this once.

import { Button } from "./button.tsx";
import { Code } from "./copy.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

interface Props {
  title: string;
  lead: string;
  /** Null where there is nothing to show. */
  text: string | null;
  onClose: () => void;
}

export function ShownOnce({ title, lead, text, onClose }: Props) {
  return (
    <Dialog open={text !== null} onOpenChange={onClose} title={title} lead={lead}>
      <Code text={text ?? ""} />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
