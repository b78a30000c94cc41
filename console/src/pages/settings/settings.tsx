// The settings of the account: its details, webhook signing and active sessions.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanView, useCanWrite, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { Status } from "../../components/data/status.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { SecretDialog } from "../../components/feedback/secret-dialog.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { Installation } from "./installation.tsx";
import { SignInMethods } from "./sign-in/sign-in-methods.tsx";
import { ThisBrowser } from "./this-browser.tsx";

export function Settings() {
  const { operator } = useSession();
  const isAdmin = useCanView("account");
  return (
    <Page title="Settings">
      <div className="space-y-4">
        <Account />
        <SignInMethods />
        {operator && isAdmin && <Installation />}
        <ThisBrowser />
        <Webhooks />
        <Sessions />
      </div>
    </Page>
  );
}

function Account() {
  const { account, key, role, operator } = useSession();
  const { data: index } = api.useQuery("get", "/v1");
  return (
    <Card title="Account">
      <Facts>
        <Fact name="Name">{account.name}</Fact>
        <Fact name="ID">
          <Copyable text={account.id} />
        </Fact>
        <Fact name="Signed in with">
          {key.name} {key.hint && <code className="text-muted">… {key.hint}</code>}
        </Fact>
        {role && <Fact name="Role">{role}</Fact>}
        {operator && <Fact name="Operator">This account operates Freehold.</Fact>}
        {index && <Fact name="Version">Freehold {index.version}</Fact>}
      </Facts>
    </Card>
  );
}

function Webhooks() {
  const query = api.useQuery("get", "/v1/account");
  const mayWrite = useCanWrite();
  const [newSecret, setNewSecret] = useState<string | null>(null);
  const [isDisabling, setDisabling] = useState(false);
  const update = useWrite("patch", "/v1/account", { invalidates: ["/v1/account"] });
  const change = async (webhookSecret: "generate" | null) => {
    const { webhookSecret: secret } = await update.run({ body: { webhookSecret } });
    setNewSecret(secret ?? null);
  };
  return (
    <Card title="Webhook signing">
      <QueryResult query={query} skeleton={<Skeleton className="h-12" />}>
        {({ webhookSecretHint }) => (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[60ch] text-muted">
              {webhookSecretHint ? (
                <>
                  Webhooks are signed so that receivers can verify them. The secret ends in{" "}
                  <code>{webhookSecretHint}</code>.
                </>
              ) : (
                "Webhooks are not signed. Receivers cannot verify their origin."
              )}
            </p>
            {mayWrite && (
              <div className="flex gap-2">
                <Button onClick={() => void change("generate").catch(() => {})}>
                  {webhookSecretHint ? "Rotate secret" : "Sign webhooks"}
                </Button>
                {webhookSecretHint && (
                  <Button variant="danger" onClick={() => setDisabling(true)}>
                    Stop signing
                  </Button>
                )}
              </div>
            )}
          </div>
        )}
      </QueryResult>
      {update.error !== null && !isDisabling && <ErrorNote error={update.error} />}
      <SecretDialog
        title="Webhook signing secret"
        lead="Receivers use it to verify signatures. Copy it now: it is not shown again."
        text={newSecret}
        onClose={() => setNewSecret(null)}
      />
      {isDisabling && (
        <ConfirmDialog
          write={update}
          onClose={() => setDisabling(false)}
          title="Stop signing webhooks?"
          action="Stop signing"
          onConfirm={() => change(null)}
        >
          <p>
            Receivers that verify signatures will reject unsigned webhooks. The secret is deleted.
            This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Sessions() {
  const query = api.useQuery("get", "/v1/sessions");
  return (
    <Card title="Active sessions" flush>
      <QueryResult query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(sessions) => (
          <ul className="divide-y divide-line">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryResult>
    </Card>
  );
}

function SessionRow({ session }: { session: Schema["Session"] }) {
  const { id, key, agent, address, createdAt, expiresAt, current } = session;
  const write = useWrite("delete", "/v1/sessions/{sessionId}", {
    success: "Session ended",
    toastError: true,
  });
  const end = () => write.start({ params: { path: { sessionId: id } } });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {describeBrowser(agent)} {current && <Status tone="good">This session</Status>}
        </p>
        <p className="text-sm text-muted">
          {key.hint ? `API key ${key.name} (… ${key.hint})` : key.name} · signed in{" "}
          <RelativeTime at={createdAt} />
          {address && ` from ${address}`} · expires {formatDateTime(expiresAt)}
        </p>
      </div>
      {!current && (
        <Button small variant="danger" onClick={end} busy={write.isPending}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** User agents also name other browsers; the first match in this order is the actual one. */
function describeBrowser(agent: string): string {
  const names = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
  const name = names.find((each) => agent.includes(`${each}/`));
  const system = /\(([^;)]+)/.exec(agent)?.[1];
  const shown = { Edg: "Edge", OPR: "Opera" }[name ?? ""] ?? name;
  return shown ? `${shown}${system ? ` on ${system}` : ""}` : agent || "Unknown browser";
}
