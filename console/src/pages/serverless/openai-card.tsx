// The OpenAI API of an endpoint that serves a model: its base URL and a call of it.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { shellQuote } from "../../api/curl.ts";
import { Code, Copyable } from "../../components/control/copy.tsx";
import { Choice } from "../../components/control/segmented-control.tsx";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";

const languages = { curl: "curl", Python: "Python" };
type Language = keyof typeof languages;

/** Hidden for an endpoint whose template names no model. */
export function OpenAiCard({ endpointId }: { endpointId: string }) {
  const params = { path: { endpointId }, query: { includeTemplate: true } };
  const { data: endpoint } = api.useQuery("get", "/v1/endpoints/{endpointId}", { params });
  const [language, setLanguage] = useState<Language>("curl");
  const model = endpoint && servedModel(endpoint.template?.env);
  if (!model) return null;
  const url = baseUrlOf(endpoint);
  return (
    <Card
      title="OpenAI API"
      aside={
        <Choice label="Language" value={language} onChange={setLanguage} options={languages} />
      }
      className="mb-5"
    >
      <Facts>
        <Fact name="Base URL">
          <Copyable text={url} />
        </Fact>
        <Fact name="Model">
          <Copyable text={model} />
        </Fact>
      </Facts>
      <Code text={snippets[language](url, model)} className="mt-3" />
    </Card>
  );
}

/** The model as vLLM's worker reads it from its variables; undefined without one. */
function servedModel(env: Record<string, string> = {}): string | undefined {
  return env.OPENAI_SERVED_MODEL_NAME_OVERRIDE || env.MODEL_NAME || undefined;
}

function baseUrlOf({ id, requestUrl }: Schema["Endpoint"]): string {
  return requestUrl ? `${requestUrl}/v1` : `${window.location.origin}/v2/${id}/openai/v1`;
}

const MESSAGES = '[{"role": "user", "content": "Hello"}]';

const snippets: Record<Language, (url: string, model: string) => string> = {
  curl: (url, model) =>
    [
      `curl -s ${url}/chat/completions \\`,
      '  -H "Authorization: Bearer $FREEHOLD_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d ${shellQuote(`{"model": ${JSON.stringify(model)}, "messages": ${MESSAGES}}`)}`,
    ].join("\n"),
  Python: (url, model) =>
    [
      "import os",
      "from openai import OpenAI",
      "",
      `client = OpenAI(base_url="${url}", api_key=os.environ["FREEHOLD_KEY"])`,
      "answer = client.chat.completions.create(",
      `    model=${JSON.stringify(model)},`,
      `    messages=${MESSAGES},`,
      ")",
      "print(answer.choices[0].message.content)",
    ].join("\n"),
};
