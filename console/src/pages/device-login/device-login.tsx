// The page that a command-line client opens to ask for a key. A signed-in person approves or denies it.

import { getRouteApi } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { useCanWriteOwn, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { FormError } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";

type Login = Schema["DeviceLogin"];

const route = getRouteApi("/inside/flash/login");

export function DeviceLogin() {
  const { request } = route.useSearch();
  return (
    <Page title="Log in from a terminal">
      <div className="max-w-xl">
        {request ? (
          <Request id={request} />
        ) : (
          <Empty title="This link is incomplete">
            Open the whole address that your terminal shows, or begin a new login there.
          </Empty>
        )}
      </div>
    </Page>
  );
}

function Request({ id }: { id: string }) {
  const params = { path: { deviceLoginId: id } };
  const query = api.useQuery("get", "/v1/device-logins/{deviceLoginId}", { params });
  return (
    <QueryResult query={query} skeleton={<Skeleton className="h-72" />}>
      {(login) =>
        login.status === "PENDING" ? (
          <Decision id={id} login={login} onDecided={() => void query.refetch()} />
        ) : (
          <Empty {...outcomes[login.status]} />
        )
      }
    </QueryResult>
  );
}

const approved = {
  title: "Login approved",
  children: "Your terminal is logged in. You can close this page.",
};
const outcomes: Record<Exclude<Login["status"], "PENDING">, { title: string; children: string }> = {
  APPROVED: approved,
  CONSUMED: approved,
  DENIED: { title: "Login denied", children: "The client did not get a key." },
  EXPIRED: { title: "Login expired", children: "Begin a new login in your terminal." },
};

interface DecisionProps {
  id: string;
  login: Login;
  onDecided: () => void;
}

function Decision({ id, login, onDecided }: DecisionProps) {
  const { account, key } = useSession();
  const mayWrite = useCanWriteOwn();
  const params = { path: { deviceLoginId: id } };
  const approve = useWrite("post", "/v1/device-logins/{deviceLoginId}/approve", {
    invalidates: ["/v1/keys"],
  });
  const deny = useWrite("post", "/v1/device-logins/{deviceLoginId}/deny");
  const { form, submit, error, isSubmitting } = useSchemaForm({
    schema: "DeviceLoginApproval",
    defaultValues: { name: "Flash login" },
    toBody: ({ name }) => ({ name: name.trim() }),
  });
  return (
    <Card title="A program on a terminal asks for an API key">
      <Facts>
        <Fact name="From">{login.address}</Fact>
        <Fact name="Program">{login.agent || "unknown"}</Fact>
        <Fact name="Asked">
          <RelativeTime at={login.createdAt} />
        </Fact>
        <Fact name="Account">{account.name}</Fact>
        <Fact name="Permissions">the same as those of your key “{key.name}”</Fact>
      </Facts>
      <p className="mt-4 rounded-card bg-warn-soft p-3 text-sm text-warn">
        Approve only if you began this login yourself. You can revoke the key at any time.
      </p>
      <form
        noValidate
        className="mt-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit((body) => approve.run({ params, body }).then(onDecided));
        }}
      >
        <TextField form={form} name="name" label="Name of the new key" disabled={!mayWrite} />
        <FormError error={error ?? deny.error} />
        <div className="mt-4 flex gap-2">
          <Button type="submit" variant="primary" busy={isSubmitting} disabled={!mayWrite}>
            Approve
          </Button>
          <Button
            busy={deny.isPending}
            disabled={!mayWrite}
            onClick={() =>
              void deny.run({ params }).then(onDecided, () => {
                // Shown in the form.
              })
            }
          >
            Deny
          </Button>
        </div>
      </form>
    </Card>
  );
}
