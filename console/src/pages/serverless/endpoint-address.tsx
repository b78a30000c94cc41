// The address of a load-balancing endpoint, and calls of it.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Schema } from "../../api/client.ts";
import { Button } from "../../components/control/button.tsx";
import { Code, CopyButton } from "../../components/control/copy.tsx";
import { Choice } from "../../components/control/segmented-control.tsx";
import { Card } from "../../components/layout/card.tsx";

export function EndpointAddress({ endpointId, url }: { endpointId: string; url: string }) {
  return (
    <Card
      title="Address"
      aside={
        <Button asChild small>
          <Link to="/serverless/$endpointId/request" params={{ endpointId }}>
            Try it
          </Link>
        </Button>
      }
      className="mb-5"
    >
      <div className="flex items-center gap-1">
        <code className="min-w-0 break-all">{url}</code>
        <CopyButton text={url} label="Copy the address" />
      </div>
      <p className="mt-2 text-sm text-muted">
        Requests go to the workers with their path and query. Send an API key as a bearer token.
      </p>
    </Card>
  );
}

const languages = { curl: "curl", OpenAI: "OpenAI in Python", JavaScript: "JavaScript" };
type Language = keyof typeof languages;

export function AddressSnippets({ endpoint }: { endpoint: Schema["Endpoint"] }) {
  const [language, setLanguage] = useState<Language>("curl");
  const url = endpoint.requestUrl ?? "";
  return (
    <Card title="Call it">
      <Choice label="Language" value={language} onChange={setLanguage} options={languages} />
      <Code text={snippets[language](url)} className="mt-3" />
    </Card>
  );
}

const snippets: Record<Language, (url: string) => string> = {
  curl: (url) => `curl -N ${url}/ -H "authorization: Bearer $FREEHOLD_KEY"`,
  OpenAI: (url) =>
    [
      "import os",
      "from openai import OpenAI",
      "",
      `client = OpenAI(base_url="${url}/v1", api_key=os.environ["FREEHOLD_KEY"])`,
      "print(client.models.list())",
    ].join("\n"),
  JavaScript: (url) =>
    [
      `const answer = await fetch("${url}/", {`,
      '  headers: { authorization: "Bearer " + process.env.FREEHOLD_KEY },',
      "});",
      "console.log(await answer.text());",
    ].join("\n"),
};
