// The same request as a program of one's own would send it.

import { curl } from "../../../api/curl.ts";

export type Way = "run" | "runsync" | "stream";
export type Language = "curl" | "Python" | "JavaScript";

interface Asked {
  endpointId: string;
  way: Way;
  /** The whole body, with its "input". */
  body: unknown;
}

export function snippet(language: Language, asked: Asked): string {
  if (language === "curl") return inCurl(asked);
  return language === "Python" ? inPython(asked) : inJavaScript(asked);
}

function inCurl({ endpointId, way, body }: Asked): string {
  const submit = curl("POST", `/v2/${endpointId}/${way === "runsync" ? "runsync" : "run"}`, body);
  if (way === "runsync") return submit;
  const next = way === "run" ? "status" : "stream";
  return `${submit}\n\n# then, with the id that it answers\n${curl("GET", `/v2/${endpointId}/${next}/JOB_ID`)}`;
}

function inPython({ endpointId, way, body }: Asked): string {
  const input = JSON.stringify((body as { input: unknown }).input, null, 4);
  const call = {
    runsync: "print(endpoint.run_sync(request))",
    run: "job = endpoint.run(request)\nprint(job.job_id, job.output(timeout=90))",
    stream: "job = endpoint.run(request)\nfor piece in job.stream():\n    print(piece)",
  }[way];
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

function inJavaScript({ endpointId, way, body }: Asked): string {
  const at = `${window.location.origin}/v2/${endpointId}`;
  const lines = [
    "const headers = {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program's own
    "  authorization: `Bearer ${process.env.FREEHOLD_KEY}`,",
    '  "content-type": "application/json",',
    "};",
    `const body = JSON.stringify(${JSON.stringify(body, null, 2)});`,
    `const answer = await fetch("${at}/${way === "runsync" ? "runsync" : "run"}", {`,
    '  method: "POST",',
    "  headers,",
    "  body,",
    "});",
    "const job = await answer.json();",
  ];
  if (way === "runsync") return [...lines, "console.log(job.output);"].join("\n");
  const next = way === "run" ? "status-sync" : "stream";
  return [
    ...lines,
    `const next = await fetch(\`${at}/${next}/\${job.id}\`, { headers });`,
    "console.log(await next.json());",
  ].join("\n");
}
