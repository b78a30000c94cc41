// The token of a link that opens a page without a session. It is behind the "#", which browsers do not send.

import { useEffect, useState } from "react";

/** The token, which leaves the address bar; empty without one. */
export function useLinkToken(title: string): string {
  const [token] = useState(tokenInUrl);
  useEffect(() => {
    document.title = `${title} · Freehold`;
    window.history.replaceState(null, "", window.location.pathname);
  }, [title]);
  return token;
}

function tokenInUrl(): string {
  return decodeURIComponent(/^#token=([^&]+)$/.exec(window.location.hash)?.[1] ?? "");
}
