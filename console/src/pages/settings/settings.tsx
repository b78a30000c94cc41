// The account, what signs its webhooks, and the browsers that are signed in.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite, useSelf } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Card, Fact, Facts } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { FaultNote } from "../../parts/fault.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Status } from "../../parts/status.tsx";
import { say } from "../../parts/toast.tsx";

export function Settings() {
  return (
    <Page title="Settings">
      <div className="space-y-4">
        <Account />
        <Webhooks />
        <Sessions />
      </div>
    </Page>
  );
}

function Account() {
  const { account, key, role, operator } = useSelf();
  return (
    <Card title="Account">
      <Facts>
        <Fact name="Name">{account.name}</Fact>
        <Fact name="Id">
          <Copyable text={account.id} />
        </Fact>
        <Fact name="Signed in with">
          {key.name} <code className="text-muted">… {key.hint}</code>
        </Fact>
        {role && <Fact name="Role">{role}</Fact>}
        {operator && <Fact name="Operator">This account runs the service.</Fact>}
      </Facts>
    </Card>
  );
}

function Webhooks() {
  const query = api.useQuery("get", "/v1/account");
  const mayWrite = useMayWrite();
  const [made, setMade] = useState<string | null>(null);
  const [dropping, setDropping] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = async (webhookSecret: "generate" | null) => {
    const { data, error: refused } = await service.PATCH("/v1/account", {
      body: { webhookSecret },
    });
    if (refused) throw refused;
    await query.refetch();
    setMade(data.webhookSecret ?? null);
  };
  return (
    <Card title="Signed webhooks">
      <Loaded query={query} skeleton={<Skeleton className="h-12" />}>
        {({ webhookSecretHint }) => (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[60ch] text-muted">
              {webhookSecretHint ? (
                <>
                  Webhooks are signed, so that their receivers know they are ours. The secret ends
                  in <code>{webhookSecretHint}</code>.
                </>
              ) : (
                "Webhooks are not signed: their receivers cannot tell who calls."
              )}
            </p>
            {mayWrite && (
              <div className="flex gap-2">
                <Button onClick={() => void change("generate").catch(setError)}>
                  {webhookSecretHint ? "Replace secret" : "Sign webhooks"}
                </Button>
                {webhookSecretHint && (
                  <Button look="danger" onClick={() => setDropping(true)}>
                    Stop signing
                  </Button>
                )}
              </div>
            )}
          </div>
        )}
      </Loaded>
      {error !== null && <FaultNote error={error} />}
      <ShownOnce
        title="The webhooks' secret"
        lead="It is shown this once; receivers check signatures with it."
        text={made}
        onClose={() => setMade(null)}
      />
      <Confirm
        open={dropping}
        onOpenChange={setDropping}
        title="Stop signing webhooks?"
        action="Stop signing"
        onConfirm={() => change(null)}
      >
        <p>
          Receivers that check signatures refuse what comes from then on. The secret is lost: this
          cannot be undone.
        </p>
      </Confirm>
    </Card>
  );
}

function Sessions() {
  const query = api.useQuery("get", "/v1/sessions");
  return (
    <Card title="Browsers that are signed in" flush>
      <Loaded query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(sessions) => (
          <ul className="divide-y divide-line">
            {sessions.map((session) => (
              <One key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

function One({ session }: { session: Schema["Session"] }) {
  const { id, key, agent, createdAt, expiresAt, current } = session;
  const end = async () => {
    const path = { sessionId: id };
    const { error } = await service.DELETE("/v1/sessions/{sessionId}", { params: { path } });
    say(error ? error.error : "That browser is signed out");
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {browserOf(agent)} {current && <Status tone="good">This one</Status>}
        </p>
        <p className="text-sm text-muted">
          With {key.name} (… {key.hint}), signed in <Ago at={createdAt} />, until{" "}
          {new Date(expiresAt).toLocaleString()}
        </p>
      </div>
      {!current && (
        <Button small look="danger" onClick={() => void end()}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Browsers name their ancestors as well; the last that fits is the one. */
function browserOf(agent: string): string {
  const names = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
  const name = names.find((each) => agent.includes(`${each}/`));
  const system = /\(([^;)]+)/.exec(agent)?.[1];
  const shown = { Edg: "Edge", OPR: "Opera" }[name ?? ""] ?? name;
  return shown ? `${shown}${system ? ` on ${system}` : ""}` : agent || "A browser";
}
