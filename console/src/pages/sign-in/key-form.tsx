// The form that exchanges an API key for a session. The key is not stored.

import { useEffect, useRef } from "react";
import { describeError } from "../../api/error-description.ts";
import type { Credentials } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { takePendingKey } from "./url-key.ts";

const INVALID_KEY = "Invalid API key. It may be mistyped, disabled or revoked.";

interface Props {
  className: string;
  signIn: (credentials: Credentials) => Promise<void>;
}

export function KeyForm({ className, signIn }: Props) {
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "SignIn",
    defaultValues: { key: "" },
    toBody: ({ key }) => ({ key: key.trim() }),
  });
  const enter = () =>
    submit(async (credentials) => {
      try {
        await signIn(credentials);
      } catch (cause) {
        if (describeError(cause).status !== 401) throw cause;
        form.setError("key", { message: INVALID_KEY }, { shouldFocus: true });
      }
    });
  const latestEnter = useRef(enter);
  latestEnter.current = enter;
  useEffect(() => {
    const key = takePendingKey();
    if (!key) return;
    form.setValue("key", key);
    void latestEnter.current();
  }, [form.setValue]);
  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <TextField
        form={form}
        name="key"
        label="API key"
        hint="Exchanged for a browser session. The key itself is not stored."
        type="password"
        autoComplete="current-password"
        placeholder="fh_..."
      />
      <FormError error={error} />
      <Button type="submit" variant="primary" busy={isSubmitting} className="mt-4 w-full">
        {isSubmitting ? "Signing in" : "Sign in"}
      </Button>
    </form>
  );
}
