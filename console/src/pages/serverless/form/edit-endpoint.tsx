// The page that edits an endpoint. It says whether the changes replace workers.

import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api, type Schema } from "../../../api/client.ts";
import { curl } from "../../../api/curl.ts";
import { isMissing } from "../../../api/error-description.ts";
import { useWrite } from "../../../api/use-write.ts";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { Page } from "../../../components/layout/page.tsx";
import { Skeleton } from "../../../components/layout/skeleton.tsx";
import { paths } from "../../../paths.ts";
import { NotFoundPage } from "../../../shell/error-pages.tsx";
import { changesBetween, type Draft, draftOf } from "./endpoint-draft.ts";
import { EndpointForm } from "./endpoint-form.tsx";

const route = getRouteApi("/inside/serverless/$endpointId/edit");

export function EditEndpoint() {
  const { endpointId } = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}", {
    params: { path: { endpointId } },
  });
  if (isMissing(query)) return <NotFoundPage />;
  return (
    <Page
      title={`Edit ${query.data?.name || endpointId}`}
      back={
        <Link to="/serverless/$endpointId" params={{ endpointId }} className="hover:underline">
          {query.data?.name || endpointId}
        </Link>
      }
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
        {(endpoint) => <EditForm endpoint={endpoint} />}
      </QueryResult>
    </Page>
  );
}

function EditForm({ endpoint }: { endpoint: Schema["Endpoint"] }) {
  const navigate = useNavigate();
  const before = draftOf(endpoint);
  const params = { endpointId: endpoint.id };
  const write = useWrite("patch", "/v1/endpoints/{endpointId}", { success: "Endpoint updated" });
  const save = async (draft: Draft) => {
    await write.run({ params: { path: params }, body: changesBetween(before, draft) });
    await navigate({ to: paths.endpoint, params });
  };
  return (
    <EndpointForm
      first={before}
      fixed
      schema="EndpointUpdateInput"
      toBody={(draft) => changesBetween(before, draft)}
      action="Save changes"
      curl={(draft) => curl("PATCH", `/v1/endpoints/${endpoint.id}`, changesBetween(before, draft))}
      note={(draft) => <Outcome changes={changesBetween(before, draft)} />}
      onSubmit={save}
    />
  );
}

const IN_PLACE = new Set([
  "deadLetterRetentionMs",
  "name",
  "labels",
  "executionTimeoutMs",
  "failureRetentionMs",
  "idleTimeout",
  "resultRetentionMs",
  "retryPolicy",
  "scalerType",
  "scalerValue",
  "workersMax",
  "workersMin",
]);

function Outcome({ changes }: { changes: Schema["EndpointUpdateInput"] }) {
  const names = Object.keys(changes);
  const release = names.some((name) => !IN_PLACE.has(name));
  if (names.length === 0) return <p className="mt-3 text-sm text-muted">No changes yet.</p>;
  return (
    <p className="mt-3 text-sm text-muted">
      {release
        ? "Creates a new release. New workers replace the old ones as these finish their jobs."
        : "Takes effect immediately. Workers keep running."}
    </p>
  );
}
