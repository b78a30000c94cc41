// The page behind an invitation link: it creates the member's API key and signs them in.

import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useSignIn } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Code } from "../../components/control/copy.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { PASSWORD_HINT, PasswordField } from "../../components/form/password-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { Logo } from "../../shell/logo.tsx";
import { useSignInWays } from "../sign-in/sign-in-ways.tsx";
import { useLinkToken } from "../sign-in/use-link-token.ts";

export function Invitation() {
  const token = useLinkToken("Invitation");
  const [entry, setEntry] = useState<Entry | null>(null);
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <h1 className="mb-6 flex justify-center">
          <Logo large />
          <span className="sr-only">: accept your invitation</span>
        </h1>
        {entry ? <NewKey entry={entry} /> : <AcceptForm token={token} onAccepted={setEntry} />}
      </div>
    </main>
  );
}

const PANEL = "rounded-card border border-line bg-surface p-5";

/** How the new member gets in. */
interface Entry {
  /** The API key. */
  key: string;
  hasPassword: boolean;
}

interface AcceptProps {
  token: string;
  onAccepted: (entry: Entry) => void;
}

function AcceptForm({ token, onAccepted }: AcceptProps) {
  const write = useWrite("post", "/v1/invitations/accept");
  const { data: ways } = useSignInWays();
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "InvitationAccept",
    defaultValues: { name: "", password: "" },
    toBody: ({ name, password }) => ({
      token,
      ...(name.trim() && { name: name.trim() }),
      ...(password && { password }),
    }),
    check: (): { name?: string } =>
      token ? {} : { name: "This link is incomplete. Ask for a new invitation." },
    fieldsByCode: { password_refused: "password" },
  });
  return (
    <form
      noValidate
      className={PANEL}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(async (body) => {
          const { key } = await write.run({ body });
          onAccepted({ key, hasPassword: body.password !== undefined });
        });
      }}
    >
      <TextField
        form={form}
        name="name"
        label="Your name"
        hint="Optional. Other members of the account see it."
        autoComplete="name"
      />
      {ways?.passwords && (
        <div className="mt-4">
          <PasswordField
            form={form}
            name="password"
            label="Password"
            hint={`Optional. Without one, you sign in with an API key. ${PASSWORD_HINT}`}
            autoComplete="new-password"
          />
        </div>
      )}
      <FormError error={error} />
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-4 w-full">
        Accept invitation
      </Button>
    </form>
  );
}

function NewKey({ entry: { key, hasPassword } }: { entry: Entry }) {
  const router = useRouter();
  const { signIn, isPending, error } = useSignIn();
  const enter = () =>
    void signIn({ key }).then(
      () => router.history.push("/"),
      () => {},
    );
  return (
    <div className={PANEL}>
      <p className="mb-2 text-sm">
        {hasPassword
          ? "You sign in with your email and password. This is an API key for the command line and for programs. It is not shown again; you can create others."
          : "This is your API key. You need it to sign in. Save it in your password manager now: it is not shown again."}
      </p>
      <Code text={key} />
      <FormError error={error} />
      <Button variant="primary" busy={isPending} className="mt-4 w-full" onClick={enter}>
        Done
      </Button>
    </div>
  );
}
