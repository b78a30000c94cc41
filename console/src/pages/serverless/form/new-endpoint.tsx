// A new endpoint, and its template where there is none yet.

import { Link, useNavigate } from "@tanstack/react-router";
import { service } from "../../../api/client.ts";
import { curl } from "../../../api/curl.ts";
import { Page } from "../../../parts/page.tsx";
import { say } from "../../../parts/toast.tsx";
import { bodyOf, type Draft, firstDraft, templateBody } from "./draft.ts";
import { EndpointForm } from "./endpoint-form.tsx";

export function NewEndpoint() {
  const navigate = useNavigate();
  const create = async (draft: Draft) => {
    const templateId = draft.templateId || (await makeTemplate(draft));
    const body = { ...bodyOf(draft), computeType: draft.computeType, templateId };
    const { data, error } = await service.POST("/v1/endpoints", { body });
    if (error) {
      if (!draft.templateId) await dropTemplate(templateId);
      throw error;
    }
    say(`Endpoint ${data.name || data.id} is there`);
    await navigate({ to: "/serverless/$endpointId/request", params: { endpointId: data.id } });
  };
  return (
    <Page
      title="New endpoint"
      lead="Workers start when there are jobs, and end when there are none."
      back={
        <Link to="/serverless" className="hover:underline">
          Serverless
        </Link>
      }
    >
      <EndpointForm
        first={firstDraft}
        fixed={false}
        action="Create endpoint"
        curl={commands}
        onSubmit={create}
      />
    </Page>
  );
}

async function makeTemplate(draft: Draft): Promise<string> {
  const { data, error } = await service.POST("/v1/templates", { body: templateBody(draft) });
  if (error) throw error;
  return data.id;
}

/** It was made for the endpoint that was refused. */
async function dropTemplate(templateId: string): Promise<void> {
  await service.DELETE("/v1/templates/{templateId}", { params: { path: { templateId } } });
}

function commands(draft: Draft): string {
  const { templateId, computeType } = draft;
  const endpoint = curl("POST", "/v1/endpoints", {
    templateId: templateId || "TEMPLATE_ID",
    computeType,
    ...bodyOf(draft),
  });
  if (templateId) return endpoint;
  return `${curl("POST", "/v1/templates", templateBody(draft))}\n\n${endpoint}`;
}
