// The page that creates an endpoint, and its template if none is selected.

import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { curl } from "../../../api/curl.ts";
import { Page } from "../../../components/layout/page.tsx";
import { paths } from "../../../paths.ts";
import { bodyOf, type Draft, firstDraft, templateBody } from "./endpoint-draft.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { useCreateEndpoint } from "./use-create-endpoint.ts";

const route = getRouteApi("/inside/serverless/new");

export function NewEndpoint() {
  const navigate = useNavigate();
  const { template = "" } = route.useSearch();
  const { create, createWithTemplate } = useCreateEndpoint();
  const submit = async (draft: Draft) => {
    if (draft.templateId) return open(await create(endpointBody(draft)));
    await open(
      await createWithTemplate(templateBody(draft), (templateId) =>
        endpointBody({ ...draft, templateId }),
      ),
    );
  };
  const open = ({ id }: { id: string }) =>
    navigate({ to: paths.endpointRequest, params: { endpointId: id } });
  return (
    <Page
      title="New endpoint"
      lead="Workers start when jobs or requests arrive and stop when idle."
      back={
        <Link to="/serverless" className="hover:underline">
          Endpoints
        </Link>
      }
    >
      <EndpointForm
        first={{ ...firstDraft, templateId: template }}
        fixed={false}
        schema="EndpointCreateInput"
        toBody={(draft) => endpointBody({ ...draft, templateId: draft.templateId || "new" })}
        check={({ templateId, imageName }) =>
          templateId || imageName.trim() ? {} : { imageName: "Required" }
        }
        action="Create endpoint"
        curl={commands}
        onSubmit={submit}
      />
    </Page>
  );
}

const endpointBody = (draft: Draft) => ({
  ...bodyOf(draft),
  type: draft.type,
  computeType: draft.computeType,
  templateId: draft.templateId,
});

function commands(draft: Draft): string {
  const { templateId, type, computeType } = draft;
  const endpoint = curl("POST", "/v1/endpoints", {
    templateId: templateId || "TEMPLATE_ID",
    type,
    computeType,
    ...bodyOf(draft),
  });
  if (templateId) return endpoint;
  return `${curl("POST", "/v1/templates", templateBody(draft))}\n\n${endpoint}`;
}
