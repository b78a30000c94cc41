// Where there is no page, or none that can be shown.

import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { FaultNote } from "../parts/fault.tsx";
import { Page } from "../parts/page.tsx";

export function NotFound() {
  return (
    <Page title="There is no such page">
      <p className="text-muted">
        It may have been deleted, or the address is not quite right.{" "}
        <Link to="/" className="text-accent underline">
          To the overview
        </Link>
      </p>
    </Page>
  );
}

export function Broken({ error, reset }: ErrorComponentProps) {
  const ours = !(error instanceof Error) || error instanceof TypeError;
  return (
    <Page title="This page could not be shown">
      {ours ? <FaultNote error={error} again={reset} /> : <p role="alert">{error.message}</p>}
    </Page>
  );
}
