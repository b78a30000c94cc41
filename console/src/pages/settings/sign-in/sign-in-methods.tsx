// How the member signs in: the password, and the one-time codes that a sign-in with it needs too.

import { type ReactNode, useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { useSession } from "../../../api/session.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Button } from "../../../components/control/button.tsx";
import { RelativeTime } from "../../../components/data/relative-time.tsx";
import { Status } from "../../../components/data/status.tsx";
import { ConfirmDialog } from "../../../components/form/confirm-dialog.tsx";
import { Card } from "../../../components/layout/card.tsx";
import { useSignInWays } from "../../sign-in/sign-in-ways.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { ConfirmTotp, RemoveTotp } from "./totp.tsx";

/** For a session of a member. A password that was set before a provider was configured can be removed. */
export function SignInMethods() {
  const { data: ways } = useSignInWays();
  const { password, totp } = useSession();
  if (password === undefined || (!ways?.passwords && password === null)) return null;
  return (
    <Card title="Sign-in" flush>
      <ul className="divide-y divide-line">
        <Password setAt={password?.setAt ?? null} hasTotp={totp != null} />
        {password && <OneTimeCodes confirmedAt={totp?.confirmedAt ?? null} />}
      </ul>
    </Card>
  );
}

function Password({ setAt, hasTotp }: { setAt: string | null; hasTotp: boolean }) {
  const [open, setOpen] = useState<"set" | "remove" | null>(null);
  const remove = useWrite("delete", "/v1/members/me/password", {
    success: "Password removed",
    invalidates: ["/v1/session", "/v1/sessions"],
  });
  const close = () => setOpen(null);
  return (
    <Method
      name="Password"
      description={
        setAt === null ? (
          "Not set. With a password, you sign in without an API key."
        ) : (
          <>
            Set <RelativeTime at={setAt} />.
          </>
        )
      }
    >
      <Button onClick={() => setOpen("set")}>
        {setAt === null ? "Set password" : "Change password"}
      </Button>
      {setAt !== null && (
        <Button variant="danger" onClick={() => setOpen("remove")}>
          Remove
        </Button>
      )}
      {open === "set" && <PasswordDialog isChange={setAt !== null} onClose={close} />}
      {open === "remove" && (
        <ConfirmDialog
          write={remove}
          onClose={close}
          title="Remove your password?"
          action="Remove password"
          onConfirm={() => remove.run({})}
        >
          <p>
            You will sign in with an API key. Sessions that began with the password end, perhaps
            this one{hasTotp && ", and the one-time codes are turned off"}.
          </p>
        </ConfirmDialog>
      )}
    </Method>
  );
}

function OneTimeCodes({ confirmedAt }: { confirmedAt: string | null }) {
  const [newTotp, setNewTotp] = useState<Schema["NewTotp"] | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const begin = useWrite("post", "/v1/members/me/totp", { toastError: true });
  const turnOn = () => void begin.run({}).then(setNewTotp, () => {}); // a toast shows the error
  return (
    <Method
      name="One-time codes"
      status={confirmedAt !== null && <Status tone="good">On</Status>}
      description={
        confirmedAt === null ? (
          "Off. With them, a sign-in with your password also needs a code of an authenticator app."
        ) : (
          <>
            A sign-in with your password also needs a code of your authenticator app. Turned on{" "}
            <RelativeTime at={confirmedAt} />.
          </>
        )
      }
    >
      {confirmedAt === null ? (
        <Button busy={begin.isPending} onClick={turnOn}>
          Turn on
        </Button>
      ) : (
        <Button variant="danger" onClick={() => setRemoving(true)}>
          Turn off
        </Button>
      )}
      {newTotp && (
        <ConfirmTotp totp={newTotp} onClose={() => setNewTotp(null)} onConfirmed={setCodes} />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      {isRemoving && <RemoveTotp onClose={() => setRemoving(false)} />}
    </Method>
  );
}

interface MethodProps {
  name: string;
  status?: ReactNode;
  description: ReactNode;
  /** Its buttons, and the dialog that one has opened. */
  children: ReactNode;
}

function Method({ name, status, description, children }: MethodProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name} {status}
        </p>
        <p className="max-w-[60ch] text-sm text-muted">{description}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}
