// The pages for an unknown address and for an error.

import { type ErrorComponentProps, Link, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { isReachable } from "../api/retrying-fetch.ts";
import { ErrorNote } from "../components/feedback/error-note.tsx";
import { Page } from "../components/layout/page.tsx";
import { Logo } from "./logo.tsx";

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <Page
      title="Page not found"
      back={
        <Link to="/" aria-label="Freehold" className="mb-6 inline-block rounded-control text-text">
          <Logo />
        </Link>
      }
    >
      <p className="text-muted">
        There is no page at <code className="break-all">{pathname}</code>. It may have been deleted,
        or the address is wrong.
      </p>
      <p className="mt-4 flex gap-4">
        <Link to="/" className="text-accent underline">
          Overview
        </Link>
        <a href="/v1/docs" className="text-accent underline">
          API reference
        </a>
      </p>
    </Page>
  );
}

const RETRY_MS = 2_000;

export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isServiceError = !(error instanceof Error) || error instanceof TypeError;
  useEffect(() => {
    if (!isServiceError) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    const check = async () => {
      if (await isReachable()) await router.invalidate();
      if (isMounted) timer = setTimeout(check, RETRY_MS);
    };
    timer = setTimeout(check, RETRY_MS);
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [isServiceError, router]);
  return (
    <Page title="Something went wrong">
      {isServiceError ? (
        <ErrorNote error={error} onRetry={() => void router.invalidate()} />
      ) : (
        <p role="alert">{error.message}</p>
      )}
    </Page>
  );
}
