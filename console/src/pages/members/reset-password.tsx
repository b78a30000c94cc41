// The dialog in which an admin creates a link that lets a member set a new password.

import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Code } from "../../components/control/copy.tsx";
import { Checkbox } from "../../components/control/field.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import { Dialog, DialogActions } from "../../components/layout/dialog.tsx";

interface Props {
  member: Schema["Member"];
  onClose: () => void;
}

export function ResetPassword({ member, onClose }: Props) {
  const [removeTotp, setRemoveTotp] = useState(false);
  const [reset, setReset] = useState<Schema["NewPasswordReset"] | null>(null);
  const write = useWrite("post", "/v1/members/{memberId}/password-reset");
  const params = { path: { memberId: member.id } };
  const create = () => void write.run({ params, body: { removeTotp } }).then(setReset, () => {}); // `write` has the error
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Reset the password of ${member.name}`}
      lead={
        reset
          ? `${reset.mailed ? `Also sent to ${member.email}.` : `Send this link to ${member.email}.`} It works once, until ${formatDateTime(reset.expiresAt)}, and is not shown again.`
          : "Creates a link with which they set a new password. Until they do, the old one works."
      }
      staysOpen={reset !== null}
    >
      {reset ? (
        <Code text={reset.url} />
      ) : (
        <Checkbox
          label="Turn off their one-time codes"
          hint="For a member who has neither their authenticator app nor a recovery code."
          checked={removeTotp}
          onChange={setRemoveTotp}
        />
      )}
      {write.error !== null && (
        <div className="mt-4">
          <ErrorNote error={write.error} />
        </div>
      )}
      <DialogActions>
        {reset ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={write.isPending} onClick={create}>
              Create link
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
