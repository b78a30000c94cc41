// The calendar feed of reservations: its address is created, replaced and revoked here.

import { useState } from "react";
import { api } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { AbsoluteTime } from "../../components/data/relative-time.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { SecretDialog } from "../../components/feedback/secret-dialog.tsx";
import { Dialog, DialogActions } from "../../components/layout/dialog.tsx";

const path = "/v1/reservation-feed";

export function CalendarFeed({ onClose }: { onClose: () => void }) {
  const query = api.useQuery("get", path);
  const [address, setAddress] = useState<string | null>(null);
  const replace = useWrite("put", path, { invalidates: [path] });
  const revoke = useWrite("delete", path, {
    success: "Calendar feed revoked",
    invalidates: [path],
  });
  // The answer is 404 where there is no feed, also after an earlier one.
  const createdAt = query.isSuccess ? query.data.createdAt : null;
  const hasNone = (query.error as { status?: number } | null)?.status === 404;
  const readError = hasNone ? null : query.error;
  const create = () =>
    void replace.run({}).then(
      ({ url }) => setAddress(url),
      () => {}, // the error is in `replace`
    );
  const end = () => void revoke.run({}).then(onClose, () => {}); // the error is in `revoke`
  if (address !== null) {
    return (
      <SecretDialog
        title="Address of the calendar feed"
        lead="Subscribe to it in a calendar program. It is shown once, and reads reservations without a key, so do not pass it on."
        text={address}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Subscribe to the calendar"
      lead="A calendar program such as Thunderbird, Google Calendar or Outlook shows the reservations of the account from an address of your own."
    >
      {createdAt && (
        <p>
          Your address was created at <AbsoluteTime at={createdAt} /> and shown then. A new one ends
          it.
        </p>
      )}
      <ErrorNote error={readError ?? replace.error ?? revoke.error} />
      <DialogActions>
        {createdAt && (
          <Button variant="danger" busy={revoke.isPending} onClick={end}>
            Revoke
          </Button>
        )}
        <Button
          variant="primary"
          busy={replace.isPending}
          disabled={query.isPending || readError !== null}
          onClick={create}
        >
          {createdAt ? "New address" : "Create address"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
