// The way in: a key, which is exchanged for a session and forgotten.

import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { refusedBy } from "../../api/fault.ts";
import { selfOptions, signIn } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { FaultNote } from "../../parts/fault.tsx";
import { Field, TextInput } from "../../parts/field.tsx";
import { Mark } from "../../shell/mark.tsx";
import { givenKey } from "./key-in-address.ts";

const route = getRouteApi("/sign-in");

export function SignIn() {
  const { over } = route.useSearch();
  const { enter, busy, error } = useEnter();
  const [key, setKey] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(key);
  };
  const wrong = error !== null && refusedBy(error).status === 401;
  useEffect(() => {
    document.title = "Sign in · Freehold";
    const given = givenKey();
    if (given) void enter(given);
  }, [enter]);
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <h1 className="mb-6 flex justify-center">
          <Mark large />
          <span className="sr-only">: sign in</span>
        </h1>
        {over && (
          <p role="status" className="mb-4 rounded-card bg-warn-soft p-3 text-sm text-warn">
            Your session has ended. Sign in again, and you are back where you were.
          </p>
        )}
        <form onSubmit={submit} className="rounded-card border border-line bg-surface p-5">
          <Field
            label="API key"
            hint="Exchanged for a session of this browser; the key itself is not kept."
            error={
              wrong ? "This key opens nothing here: it may be mistyped, disabled or revoked." : null
            }
          >
            {(tied) => (
              <TextInput
                {...tied}
                type="password"
                name="key"
                autoComplete="current-password"
                placeholder="fh_..."
                required
                value={key}
                onChange={({ target }) => setKey(target.value)}
              />
            )}
          </Field>
          {error !== null && !wrong && (
            <div className="mt-3">
              <FaultNote error={error} />
            </div>
          )}
          <Button type="submit" look="primary" busy={busy} className="mt-4 w-full">
            {busy ? "Signing in" : "Sign in"}
          </Button>
        </form>
        <p className="mt-4 text-sm text-muted">
          No key at hand? The first screen of <code>npm start</code> prints one, and{" "}
          <code>npx freehold key create</code> makes another.
        </p>
      </div>
    </main>
  );
}

function useEnter() {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = route.useSearch();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [enter] = useState(() => async (key: string) => {
    setBusy(true);
    setError(null);
    try {
      const self = await signIn(key.trim());
      client.clear();
      client.setQueryData(selfOptions().queryKey, self);
      router.history.push(ownPlace(next));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  });
  return { enter, busy, error };
}

/** Nobody else's address, whoever made the link. */
function ownPlace(next: string | undefined): string {
  return next?.startsWith("/") && !/^\/[/\\]/.test(next) ? next : "/";
}
