// Changes an endpoint; says when that means new workers.

import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, type Schema, service } from "../../../api/client.ts";
import { curl } from "../../../api/curl.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Page } from "../../../parts/page.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { say } from "../../../parts/toast.tsx";
import { changesBetween, type Draft, draftOf } from "./draft.ts";
import { EndpointForm } from "./endpoint-form.tsx";

const route = getRouteApi("/inside/serverless/$endpointId/edit");

export function EditEndpoint() {
  const { endpointId } = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}", {
    params: { path: { endpointId } },
  });
  return (
    <Page
      title={`Edit ${query.data?.name || endpointId}`}
      back={
        <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
          {query.data?.name || endpointId}
        </Link>
      }
    >
      <Loaded query={query} skeleton={<Skeleton className="h-96" />}>
        {(endpoint) => <Form endpoint={endpoint} />}
      </Loaded>
    </Page>
  );
}

function Form({ endpoint }: { endpoint: Schema["Endpoint"] }) {
  const navigate = useNavigate();
  const was = draftOf(endpoint);
  const params = { endpointId: endpoint.id };
  const save = async (draft: Draft) => {
    const { error } = await service.PATCH("/v1/endpoints/{endpointId}", {
      params: { path: params },
      body: changesBetween(was, draft),
    });
    if (error) throw error;
    say("The endpoint is changed");
    await navigate({ to: "/serverless/$endpointId", params });
  };
  return (
    <EndpointForm
      first={was}
      fixed
      action="Save changes"
      curl={(draft) => curl("PATCH", `/v1/endpoints/${endpoint.id}`, changesBetween(was, draft))}
      note={(draft) => <Outcome changes={changesBetween(was, draft)} />}
      onSubmit={save}
    />
  );
}

const IN_PLACE = new Set([
  "name",
  "executionTimeoutMs",
  "flashboot",
  "idleTimeout",
  "scalerType",
  "scalerValue",
  "workersMax",
  "workersMin",
]);

function Outcome({ changes }: { changes: Schema["EndpointUpdate"] }) {
  const names = Object.keys(changes);
  const release = names.some((name) => !IN_PLACE.has(name));
  if (names.length === 0) return <p className="mt-3 text-sm text-muted">Nothing is changed yet.</p>;
  return (
    <p className="mt-3 text-sm text-muted">
      {release
        ? "This is a new release: new workers take the place of the old ones as those finish."
        : "This takes effect at once; workers stay."}
    </p>
  );
}
