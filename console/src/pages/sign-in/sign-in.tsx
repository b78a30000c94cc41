// The sign-in page: an API key is exchanged for a session and not stored.

import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { api } from "../../api/client.ts";
import { describeError } from "../../api/error-description.ts";
import { useSignIn } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { Logo } from "../../shell/logo.tsx";
import { takePendingKey } from "./url-key.ts";

const route = getRouteApi("/sign-in");

export function SignIn() {
  const { expired: isExpired } = route.useSearch();
  useEffect(() => {
    document.title = "Sign in · Freehold";
  }, []);
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <h1 className="mb-6 flex justify-center">
          <Logo large />
          <span className="sr-only">: sign in</span>
        </h1>
        {isExpired && (
          <p role="status" className="mb-4 rounded-card bg-warn-soft p-3 text-sm text-warn">
            Your session has expired. Sign in to continue.
          </p>
        )}
        <ProviderSignIn />
        <KeyForm />
        <p className="mt-4 text-sm text-muted">
          No API key? <code>npm start</code> prints one at the first start. To create another, run{" "}
          <code>freehold keys create</code>.
        </p>
      </div>
    </main>
  );
}

/** The organization's provider, and why a sign-in there failed. The key form below works in any case. */
function ProviderSignIn() {
  const { next, problem } = route.useSearch();
  const { data: ways } = api.useQuery("get", "/v1/sign-in", {
    params: { query: problem === undefined ? {} : { problem } },
  });
  if (!ways) return null;
  const { provider } = ways;
  const address = provider && `${provider.url}?${new URLSearchParams({ next: localPath(next) })}`;
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="mb-4 rounded-card bg-bad-soft p-3 text-sm text-bad">
          {ways.problem ?? "The sign-in failed. Try again."}
        </p>
      )}
      {address && (
        <Button asChild variant="primary" className="mb-4 w-full">
          <a href={address}>Sign in with {provider.name}</a>
        </Button>
      )}
    </>
  );
}

function KeyForm() {
  const { signIn } = useSignIn();
  const router = useRouter();
  const { next } = route.useSearch();
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "SignIn",
    defaultValues: { key: "" },
    toBody: ({ key }) => ({ key: key.trim() }),
  });
  const enter = () =>
    submit(async ({ key }) => {
      try {
        await signIn(key);
      } catch (cause) {
        if (describeError(cause).status !== 401) throw cause;
        return form.setError("key", { message: INVALID_KEY });
      }
      router.history.push(localPath(next));
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
      className="rounded-card border border-line bg-surface p-5"
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

const INVALID_KEY = "Invalid API key. It may be mistyped, disabled or revoked.";

/** An address of this origin, whatever the link says. */
function localPath(next: string | undefined): string {
  return next?.startsWith("/") && !/^\/[/\\]/.test(next) ? next : "/";
}
