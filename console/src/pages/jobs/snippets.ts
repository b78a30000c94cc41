// Code examples for a request.

import { curl } from "../../api/curl.ts";
import { formatJson, losesNumbers } from "../../exact-json.ts";

export type SubmitMethod = "run" | "runsync" | "stream";
export type Language = "curl" | "Python" | "JavaScript";

export interface SnippetRequest {
  endpointId: string;
  method: SubmitMethod;
  /** The whole body, with its "input". */
  body: unknown;
}

export function snippet(language: Language, request: SnippetRequest): string {
  if (language === "curl") return curlSnippet(request);
  return language === "Python" ? pythonSnippet(request) : javaScriptSnippet(request);
}

function curlSnippet({ endpointId, method, body }: SnippetRequest): string {
  const submit = curl(
    "POST",
    `/v2/${endpointId}/${method === "runsync" ? "runsync" : "run"}`,
    body,
  );
  if (method === "runsync") return submit;
  const next = method === "run" ? "status" : "stream";
  return `${submit}\n\n# then, with the id in the response\n${curl("GET", `/v2/${endpointId}/${next}/JOB_ID`)}`;
}

function pythonSnippet({ endpointId, method, body }: SnippetRequest): string {
  const input = formatJson((body as { input: unknown }).input, 4);
  const call = {
    runsync: "print(endpoint.run_sync(request))",
    run: "job = endpoint.run(request)\nprint(job.job_id, job.output(timeout=90))",
    stream: "job = endpoint.run(request)\nfor chunk in job.stream():\n    print(chunk)",
  }[method];
  return [
    "import json, os",
    "import runpod",
    "",
    `runpod.endpoint_url_base = "${window.location.origin}/v2"`,
    'runpod.api_key = os.environ["FREEHOLD_KEY"]',
    `endpoint = runpod.Endpoint("${endpointId}")`,
    `request = {"input": json.loads(r'''${input}''')}`,
    "",
    call,
  ].join("\n");
}

function javaScriptSnippet({ endpointId, method, body }: SnippetRequest): string {
  const at = `${window.location.origin}/v2/${endpointId}`;
  const lines = [
    "const headers = {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program's own
    "  authorization: `Bearer ${process.env.FREEHOLD_KEY}`,",
    '  "content-type": "application/json",',
    "};",
    losesNumbers(body)
      ? `const body = ${JSON.stringify(formatJson(body, 0))};`
      : `const body = JSON.stringify(${formatJson(body)});`,
    `const answer = await fetch("${at}/${method === "runsync" ? "runsync" : "run"}", {`,
    '  method: "POST",',
    "  headers,",
    "  body,",
    "});",
    "const job = await answer.json();",
  ];
  if (method === "runsync") return [...lines, "console.log(job.output);"].join("\n");
  const next = method === "run" ? "status-sync" : "stream";
  return [
    ...lines,
    `const next = await fetch(\`${at}/${next}/\${job.id}\`, { headers });`,
    "console.log(await next.json());",
  ].join("\n");
}
