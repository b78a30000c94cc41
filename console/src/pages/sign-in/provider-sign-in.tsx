// The way to the organization's provider, and why a sign-in there failed. The key form works in any case.

import { api } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";

interface Props {
  /** A path of the console, which opens after it. */
  next: string;
  /** Why the last one failed, as a code. */
  problem?: string | undefined;
  /** Whether it opens beside the page. */
  inNewTab?: boolean;
}

export function ProviderSignIn({ next, problem, inNewTab = false }: Props) {
  const { data: ways } = api.useQuery("get", "/v1/sign-in", {
    params: { query: problem === undefined ? {} : { problem } },
  });
  if (!ways) return null;
  const { provider } = ways;
  const address = provider && `${provider.url}?${new URLSearchParams({ next })}`;
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="mb-4 rounded-card bg-bad-soft p-3 text-sm text-bad">
          {ways.problem ?? "The sign-in failed. Try again."}
        </p>
      )}
      {address && (
        <Button asChild variant="primary" className="mb-4 w-full">
          <a href={address} {...(inNewTab && { target: "_blank", rel: "noreferrer" })}>
            Sign in with {provider.name}
          </a>
        </Button>
      )}
    </>
  );
}
