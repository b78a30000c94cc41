// The page that creates an endpoint, and its template if none is selected.

import { Link, useNavigate } from "@tanstack/react-router";
import { curl } from "../../../api/curl.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Page } from "../../../components/layout/page.tsx";
import { paths } from "../../../paths.ts";
import { bodyOf, type Draft, firstDraft, templateBody } from "./endpoint-draft.ts";
import { EndpointForm } from "./endpoint-form.tsx";

export function NewEndpoint() {
  const navigate = useNavigate();
  const createTemplate = useWrite("post", "/v1/templates");
  const deleteTemplate = useWrite("delete", "/v1/templates/{templateId}");
  const createEndpoint = useWrite("post", "/v1/endpoints", {
    success: ({ name, id }) => `Endpoint ${name || id} created`,
  });
  const create = async (draft: Draft) => {
    if (draft.templateId) return open(await createEndpoint.run({ body: endpointBody(draft) }));
    const { id: templateId } = await createTemplate.run({ body: templateBody(draft) });
    try {
      await open(await createEndpoint.run({ body: endpointBody({ ...draft, templateId }) }));
    } catch (error) {
      // The template was created for this endpoint alone.
      await deleteTemplate.run({ params: { path: { templateId } } }).catch(() => {});
      throw error;
    }
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
        first={firstDraft}
        fixed={false}
        schema="EndpointCreateInput"
        toBody={(draft) => endpointBody({ ...draft, templateId: draft.templateId || "new" })}
        check={({ templateId, imageName }) =>
          templateId || imageName.trim() ? {} : { imageName: "Required" }
        }
        action="Create endpoint"
        curl={commands}
        onSubmit={create}
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
