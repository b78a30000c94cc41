// The page behind an invitation link: it creates the member's API key and signs them in.

import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSignIn } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Code } from "../../components/control/copy.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { Logo } from "../../shell/logo.tsx";

export function Invitation() {
  const [token] = useState(tokenInUrl);
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    document.title = "Invitation · Freehold";
    window.history.replaceState(null, "", window.location.pathname);
  }, []);
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <h1 className="mb-6 flex justify-center">
          <Logo large />
          <span className="sr-only">: accept your invitation</span>
        </h1>
        {key === null ? <AcceptForm token={token} onAccepted={setKey} /> : <NewKey apiKey={key} />}
      </div>
    </main>
  );
}

/** Behind the "#", which browsers do not send. */
function tokenInUrl(): string {
  return decodeURIComponent(/^#token=([^&]+)$/.exec(window.location.hash)?.[1] ?? "");
}

const PANEL = "rounded-card border border-line bg-surface p-5";

interface AcceptProps {
  token: string;
  /** Called with the API key of the new member. */
  onAccepted: (key: string) => void;
}

function AcceptForm({ token, onAccepted }: AcceptProps) {
  const write = useWrite("post", "/v1/invitations/accept");
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "InvitationAccept",
    defaultValues: { name: "" },
    toBody: ({ name }) => ({ token, ...(name.trim() && { name: name.trim() }) }),
    check: (): { name?: string } =>
      token ? {} : { name: "This link is incomplete. Ask for a new invitation." },
  });
  return (
    <form
      noValidate
      className={PANEL}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(async (body) => onAccepted((await write.run({ body })).key));
      }}
    >
      <TextField
        form={form}
        name="name"
        label="Your name"
        hint="Optional. Other members of the account see it."
        autoComplete="name"
      />
      <FormError error={error} />
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-4 w-full">
        Accept invitation
      </Button>
    </form>
  );
}

function NewKey({ apiKey }: { apiKey: string }) {
  const router = useRouter();
  const { signIn, isPending, error } = useSignIn();
  const enter = () =>
    void signIn(apiKey).then(
      () => router.history.push("/"),
      () => {},
    );
  return (
    <div className={PANEL}>
      <p className="mb-2 text-sm">
        This is your API key. You need it to sign in. Save it in your password manager now: it is
        not shown again.
      </p>
      <Code text={apiKey} />
      <FormError error={error} />
      <Button variant="primary" busy={isPending} className="mt-4 w-full" onClick={enter}>
        Done
      </Button>
    </div>
  );
}
