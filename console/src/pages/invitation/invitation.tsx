// Where the link of an invitation leads: whoever opens it says his name, is given a key, and is in.

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { service } from "../../api/client.ts";
import { selfOptions, signIn } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/copy.tsx";
import { FaultNote } from "../../parts/fault.tsx";
import { Field, TextInput } from "../../parts/field.tsx";
import { Mark } from "../../shell/mark.tsx";

export function Invitation() {
  const [token] = useState(tokenInAddress);
  const { accept, enter, key, busy, error } = useAccept();
  const [name, setName] = useState("");
  useEffect(() => {
    document.title = "Invitation · Freehold";
    window.history.replaceState(null, "", window.location.pathname);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key !== null) void enter(key);
    else void accept(token, name);
  };
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <h1 className="mb-6 flex justify-center">
          <Mark large />
          <span className="sr-only">: you are invited</span>
        </h1>
        <form onSubmit={submit} className="rounded-card border border-line bg-surface p-5">
          {key === null ? (
            <Field label="Your name" hint="As others in the account see it. It may be left out.">
              {(tied) => (
                <TextInput
                  {...tied}
                  name="name"
                  autoComplete="name"
                  maxLength={200}
                  value={name}
                  onChange={({ target }) => setName(target.value)}
                />
              )}
            </Field>
          ) : (
            <>
              <p className="mb-2 text-sm">
                This is your key. It is shown this once: keep it where you keep passwords, for it is
                how you sign in the next time.
              </p>
              <Code text={key} />
            </>
          )}
          {error !== null && (
            <div className="mt-3">
              <FaultNote error={error} />
            </div>
          )}
          <Button type="submit" look="primary" busy={busy} className="mt-4 w-full">
            {key === null ? "Accept the invitation" : "I have kept it"}
          </Button>
        </form>
      </div>
    </main>
  );
}

/** Behind the "#", which no browser sends anywhere. */
function tokenInAddress(): string {
  return decodeURIComponent(/^#token=([^&]+)$/.exec(window.location.hash)?.[1] ?? "");
}

function useAccept() {
  const client = useQueryClient();
  const router = useRouter();
  const [key, setKey] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    await what().catch(setError);
    setBusy(false);
  };
  const accept = (token: string, name: string) =>
    attempt(async () => {
      const body = { token, ...(name.trim() && { name: name.trim() }) };
      const { data, error: refused } = await service.POST("/v1/invitations/accept", { body });
      if (refused) throw refused;
      setKey(data.key);
    });
  const enter = (given: string) =>
    attempt(async () => {
      const self = await signIn(given);
      client.clear();
      client.setQueryData(selfOptions().queryKey, self);
      router.history.push("/");
    });
  return { accept, enter, key, busy, error };
}
