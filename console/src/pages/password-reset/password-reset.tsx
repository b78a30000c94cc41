// The page behind a link with which an admin lets a member set a new password. It signs the member in.

import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { describeError } from "../../api/error-description.ts";
import { usePasswordReset } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { PASSWORD_HINT, PasswordField } from "../../components/form/password-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { Logo } from "../../shell/logo.tsx";
import { useLinkToken } from "../sign-in/use-link-token.ts";

export function PasswordReset() {
  const token = useLinkToken("New password");
  const [isUsable, setUsable] = useState(token !== "");
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex justify-center">
          <Logo large />
        </div>
        <div className="rounded-card border border-line bg-surface p-5">
          {isUsable ? (
            <NewPassword token={token} onUnusable={() => setUsable(false)} />
          ) : (
            <UnusableLink />
          )}
        </div>
      </div>
    </main>
  );
}

interface NewPasswordProps {
  token: string;
  /** Called if the link has expired or was used. */
  onUnusable: () => void;
}

function NewPassword({ token, onUnusable }: NewPasswordProps) {
  const router = useRouter();
  const reset = usePasswordReset();
  const [needsCode, setNeedsCode] = useState(false);
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "PasswordResetUse",
    defaultValues: { password: "", code: "" },
    toBody: ({ password, code }) => ({
      token,
      password,
      ...(code.trim() && { code: code.replaceAll(/\s/g, "") }),
    }),
    check: ({ password, code }) => ({
      ...(!password && { password: "Required" }),
      ...(needsCode && !code.trim() && { code: "Required" }),
    }),
    fieldsByCode: { password_refused: "password", code_refused: "code" },
  });
  useEffect(() => {
    if (needsCode) form.setFocus("code");
  }, [form, needsCode]);
  const save = () =>
    submit(async (body) => {
      try {
        await reset(body);
        router.history.push("/");
      } catch (cause) {
        const { code } = describeError(cause);
        if (code === "password_reset_over") return onUnusable();
        if (code !== "code_required") throw cause;
        setNeedsCode(true);
      }
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h1 className="mb-4 text-lg font-semibold">Set a new password</h1>
      <PasswordField
        form={form}
        name="password"
        label="New password"
        hint={PASSWORD_HINT}
        autoComplete="new-password"
      />
      {needsCode && (
        <TextField
          form={form}
          name="code"
          label="Code"
          hint="A code of your authenticator app, or a recovery code."
          className="mt-4"
          mono
          autoComplete="one-time-code"
          autoCapitalize="none"
        />
      )}
      <FormError error={error} />
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-4 w-full">
        Save and sign in
      </Button>
    </form>
  );
}

function UnusableLink() {
  return (
    <>
      <h1 className="text-lg font-semibold">This link no longer works</h1>
      <p role="alert" className="mt-1 text-muted">
        It has expired, was used, is incomplete, or a newer one replaced it. Ask an admin of your
        account for another.
      </p>
      <Button asChild className="mt-4 w-full">
        <Link to="/sign-in">Go to sign-in</Link>
      </Button>
    </>
  );
}
