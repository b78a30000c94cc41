// The sign-in page.

import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSignIn } from "../../api/session.ts";
import { Logo } from "../../shell/logo.tsx";
import { SignInWays } from "./sign-in-ways.tsx";

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
        <SignInWays
          next={localPath(next)}
          problem={problem}
          signIn={async (credentials) => {
            await signIn(credentials);
            router.history.push(localPath(next));
          }}
        />
      </div>
    </main>
  );
}

/** An address of this origin, whatever the link says. */
function localPath(next: string | undefined): string {
  return next?.startsWith("/") && !/^\/[/\\]/.test(next) ? next : "/";
}
