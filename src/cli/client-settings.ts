// How each client is pointed at another server: by environment variables, or by a line of code. A
// variable that several clients read is listed once.

/** What the variable points to. */
export type Interface = "queue" | "rest" | "rest v2" | "graphql" | "logs" | "console" | "none";

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

/** Clients that read a variable of others for another interface. */
export const clientsApart = ["rust"] as const;
export type ClientApart = (typeof clientsApart)[number];

/** The variables for a service at `origin` and a key; `client` is one that needs its own values. */
export function clientVariables(
  origin: string,
  key: string,
  client: ClientApart | null = null,
): Variable[] {
  const rest = `${origin}/v1`;
  const queue = `${origin}/v2`;
  const graphql = `${origin}/graphql`;
  const all: [string, string, Interface, string][] = [
    ["FREEHOLD_URL", origin, "none", "examples"],
    ["FREEHOLD_KEY", key, "none", "examples, the console's snippets"],
    ["RUNPOD_API_KEY", key, "none", "runpodctl, MCP server, Flash, LangChain, Rust SDK, Terraform"],
    ["RUNPOD_ENDPOINT_BASE_URL", queue, "queue", "Python SDK, Flash"],
    ["RUNPOD_SERVERLESS_API_URL", queue, "queue", "MCP server"],
    ["RUNPOD_REST_API_URL", rest, "rest", "MCP server, Flash, Pitwall"],
    client === "rust"
      ? ["RUNPOD_API_URL", queue, "queue", "Rust SDK"]
      : ["RUNPOD_API_URL", rest, "rest", "runpodctl"],
    ["RUNPOD_REST_URL", rest, "rest", "Rust SDK"],
    ["RUNPOD_REST_V2_URL", queue, "rest v2", "runpodctl"],
    ["RUNPOD_INVOKE_URL", queue, "queue", "runpodctl"],
    ["RUNPOD_BASE_URL", rest, "rest", "Rust SDK of the Git repository, Terraform"],
    ["RUNPOD_REST_VERSION", "v1", "none", "MCP server 3.x"],
    ["RUNPOD_API_BASE_URL", origin, "graphql", "Python SDK, Flash, SkyPilot"],
    ["RUNPOD_GRAPHQL_URL", graphql, "graphql", "runpodctl, Rust SDK 0.1, Terraform"],
    ["RUNPOD_PUBLIC_GRAPHQL_URL", graphql, "graphql", "MCP server"],
    ["RUNPOD_AUTHED_GRAPHQL_URL", graphql, "graphql", "MCP server"],
    ["RUNPOD_HAPI_URL", origin, "logs", "Python SDK, Flash"],
    ["RUNPOD_CONSOLE_URL", origin, "console", "Flash"],
    ["RUNPOD_URL_MIXED_OK", "1", "none", "Flash"],
  ];
  return all.map(([name, value, leadsTo, readBy]) => ({ name, value, leadsTo, readBy }));
}

/** What clients need that read no variable, or too few. */
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
