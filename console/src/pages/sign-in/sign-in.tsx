// The sign-in page: with an API key, or with the organization's provider.

import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSignIn } from "../../api/session.ts";
import { Logo } from "../../shell/logo.tsx";
import { KeyForm } from "./key-form.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";

const route = getRouteApi("/sign-in");

export function SignIn() {
  const { next, problem } = route.useSearch();
  const { signIn } = useSignIn();
  const router = useRouter();
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
        <ProviderSignIn next={localPath(next)} problem={problem} />
        <KeyForm
          className="rounded-card border border-line bg-surface p-5"
          signIn={async (key) => {
            await signIn(key);
            router.history.push(localPath(next));
          }}
        />
        <p className="mt-4 text-sm text-muted">
          No API key? <code>npm start</code> prints one at the first start. To create another, run{" "}
          <code>freehold keys create</code>.
        </p>
      </div>
    </main>
  );
}

/** An address of this origin, whatever the link says. */
function localPath(next: string | undefined): string {
  return next?.startsWith("/") && !/^\/[/\\]/.test(next) ? next : "/";
}
