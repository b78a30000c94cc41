// The ways to sign in: the organization's provider, an e-mail address and a password if the service takes passwords, and an
// API key, which works in any case.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import type { Credentials } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { KeyForm } from "./key-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { hasPendingKey } from "./url-key.ts";

interface Props {
  /** A path of the console, which opens after a sign-in with the provider. */
  next: string;
  /** Why the last one there failed, as a code. */
  problem?: string | undefined;
  /** Whether the provider opens beside the page. */
  inNewTab?: boolean;
  signIn: (credentials: Credentials) => Promise<void>;
}

const PANEL = "rounded-card border border-line bg-surface p-5";

export function useSignInWays(problem?: string) {
  return api.useQuery("get", "/v1/sign-in", {
    params: { query: problem === undefined ? {} : { problem } },
  });
}

export function SignInWays({ next, problem, inNewTab = false, signIn }: Props) {
  const { data: ways, isPending } = useSignInWays(problem);
  const [prefersKey, setPrefersKey] = useState(hasPendingKey);
  const passwords = ways?.passwords ?? false;
  const usesPassword = passwords && !prefersKey;
  return (
    <>
      {ways && problem !== undefined && (
        <p role="alert" className="mb-4 rounded-card bg-bad-soft p-3 text-sm text-bad">
          {ways.problem ?? "The sign-in failed. Try again."}
        </p>
      )}
      {ways?.provider && <ProviderLink {...{ next, inNewTab }} provider={ways.provider} />}
      {isPending && !prefersKey && <Skeleton className="h-60" />}
      {usesPassword && <PasswordForm className={PANEL} signIn={signIn} />}
      {!usesPassword && (!isPending || prefersKey) && <KeyForm className={PANEL} signIn={signIn} />}
      {passwords && (
        <Button variant="quiet" className="mt-2 w-full" onClick={() => setPrefersKey(!prefersKey)}>
          {usesPassword ? "Sign in with an API key" : "Sign in with email and password"}
        </Button>
      )}
      {!isPending && <Help forPassword={usesPassword} />}
    </>
  );
}

interface ProviderLinkProps extends Pick<Props, "next" | "inNewTab"> {
  provider: NonNullable<Schema["SignInWays"]["provider"]>;
}

function ProviderLink({ provider, next, inNewTab }: ProviderLinkProps) {
  const address = `${provider.url}?${new URLSearchParams({ next })}`;
  return (
    <Button asChild variant="primary" className="mb-4 w-full">
      <a href={address} {...(inNewTab && { target: "_blank", rel: "noreferrer" })}>
        Sign in with {provider.name}
      </a>
    </Button>
  );
}

function Help({ forPassword }: { forPassword: boolean }) {
  return (
    <p className="mt-4 text-sm text-muted">
      {forPassword ? (
        "No password yet, or forgotten? An admin of your account creates a link with which you set one."
      ) : (
        <>
          No API key? <code>npm start</code> prints one at the first start. To create another, run{" "}
          <code>freehold keys create</code>.
        </>
      )}
    </p>
  );
}
