// How each client is pointed at another server: the variables that some read, the line of code that
// others want. Shared variables stand once, with everybody who reads them.

/** What a variable leads to. */
export type Interface = "queue" | "rest" | "graphql" | "logs" | "console" | "none";

export interface Variable {
  name: string;
  value: string;
  leadsTo: Interface;
  readBy: string;
}

export interface Advice {
  client: string;
  /** A line of code, or a sentence. */
  line: string;
}

/** The variables, for a service at `origin` that `key` opens. */
export function clientVariables(origin: string, key: string): Variable[] {
  const rest = `${origin}/v1`;
  const queue = `${origin}/v2`;
  const graphql = `${origin}/graphql`;
  const all: [string, string, Interface, string][] = [
    ["RUNPOD_API_KEY", key, "none", "runpodctl, MCP server, Flash, LangChain, Rust SDK, Terraform"],
    ["RUNPOD_ENDPOINT_BASE_URL", queue, "queue", "Python SDK, Flash"],
    ["RUNPOD_SERVERLESS_API_URL", queue, "queue", "MCP server"],
    ["RUNPOD_REST_API_URL", rest, "rest", "MCP server, Flash, Pitwall"],
    ["RUNPOD_API_URL", rest, "rest", "runpodctl"],
    ["RUNPOD_BASE_URL", rest, "rest", "Rust SDK, Terraform"],
    ["RUNPOD_REST_VERSION", "v1", "none", "MCP server 3.x"],
    ["RUNPOD_API_BASE_URL", origin, "graphql", "Python SDK, Flash, SkyPilot"],
    ["RUNPOD_GRAPHQL_URL", graphql, "graphql", "runpodctl, Rust SDK, Terraform"],
    ["RUNPOD_PUBLIC_GRAPHQL_URL", graphql, "graphql", "MCP server"],
    ["RUNPOD_AUTHED_GRAPHQL_URL", graphql, "graphql", "MCP server"],
    ["RUNPOD_HAPI_URL", origin, "logs", "Python SDK, Flash"],
    ["RUNPOD_CONSOLE_URL", origin, "console", "Flash"],
    ["RUNPOD_URL_MIXED_OK", "1", "none", "Flash"],
  ];
  return all.map(([name, value, leadsTo, readBy]) => ({ name, value, leadsTo, readBy }));
}

/** What the clients want that read no variable, or too few. */
export function clientAdvice(origin: string): Advice[] {
  return [
    { client: "Python SDK", line: 'runpod.api_key = os.environ["RUNPOD_API_KEY"]' },
    {
      client: "JavaScript SDK",
      line: `runpodSdk(process.env.RUNPOD_API_KEY, { baseUrl: "${origin}/v2" })`,
    },
    { client: "Go SDK", line: `&endpoint.Option{EndpointUrl: sdk.String("${origin}/v2"), ...}` },
    { client: "OpenAI SDKs", line: `base_url="${origin}/v2/<endpoint>/openai/v1"` },
    { client: "AI SDK", line: `createRunpod({ baseURL: "${origin}/v2/<endpoint>/openai/v1" })` },
    { client: "LangChain", line: `ChatRunPod(api_base="${origin}/v2", ...)` },
    {
      client: "cozy-creator (Go)",
      line: `WithBaseURL("${origin}/v1"), WithServerlessBaseURL("${origin}")`,
    },
    { client: "runpod-cli (Rust)", line: `~/.runpod/config.toml: apiurl = "${origin}/graphql"` },
  ];
}
