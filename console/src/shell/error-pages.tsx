// The pages for an unknown address and for an error.

import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { ErrorNote } from "../components/feedback/error-note.tsx";
import { Page } from "../components/layout/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p className="text-muted">
        It may have been deleted, or the address is wrong.{" "}
        <Link to="/" className="text-accent underline">
          Go to the overview
        </Link>
      </p>
    </Page>
  );
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const isServiceError = !(error instanceof Error) || error instanceof TypeError;
  return (
    <Page title="Something went wrong">
      {isServiceError ? (
        <ErrorNote error={error} onRetry={reset} />
      ) : (
        <p role="alert">{error.message}</p>
      )}
    </Page>
  );
}
