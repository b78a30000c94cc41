// A session with the public MCP server of the npm registry, unmodified, as agents use it: its settings point to the
// service.

import assert from "node:assert/strict";
import path from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { type ClientService, testOnBoth } from "../fidelity/both.ts";
import { witness } from "../fidelity/witness.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { MACHINE } from "../pods/fixture.ts";
import { npmClient } from "./npm-client.ts";

/** A version of the server: its folder among the installed packages, and the variables that it reads. */
interface McpServer {
  version: string;
  folder: string;
  env(origin: string): Record<string, string>;
}

const MCP_3: McpServer = {
  version: "3.4.0",
  folder: "@runpod/mcp-server",
  env: (origin) => ({ RUNPOD_REST_VERSION: "v1", RUNPOD_REST_API_URL: `${origin}/v1` }),
};

/** In its default mode, which speaks REST v2. */
const MCP_4: McpServer = {
  version: "4.0.0",
  folder: "runpod-mcp-server-4",
  env: (origin) => ({ RUNPOD_API_BASE_URL: origin }),
};

/** Null if it is not installed: the test is then skipped. */
async function connect(t: TestContext, service: TestService, server: McpServer) {
  const sdk = npmClient(t, "@modelcontextprotocol/sdk/dist/esm/client");
  const program = npmClient(t, `${server.folder}/dist/stdio.mjs`);
  if (!sdk || !program) return null;
  const load = (name: string) => import(pathToFileURL(path.join(sdk, name)).href);
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    load("index.js"),
    load("stdio.js"),
  ]);
  const env = {
    PATH: process.env.PATH,
    RUNPOD_API_KEY: service.key,
    RUNPOD_SERVERLESS_API_URL: `${service.origin}/v2`,
    RUNPOD_PUBLIC_GRAPHQL_URL: `${service.origin}/graphql`,
    RUNPOD_AUTHED_GRAPHQL_URL: `${service.origin}/graphql`,
    ...server.env(service.origin),
  };
  const client = new Client({ name: "freehold-tests", version: "1.0.0" });
  t.after(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program],
      env,
      stderr: "ignore",
    }),
  );
  return client;
}

/** Calls a tool that must succeed; resolves to its output, parsed as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
export type Use = (name: string, args?: object) => Promise<any>;

type Body = (use: Use, service: ClientService) => Promise<void>;

function testerOf(server: McpServer) {
  return (name: string, body: Body): void => {
    const env = { FREEHOLD_MACHINE: JSON.stringify(MACHINE) };
    const options = { env, protocol: { endGraceMs: 500 } };
    testOnBoth(`@runpod/mcp-server ${server.version}: ${name}`, options, async (t, start) => {
      const service = await start();
      const client = await connect(t, service, server);
      if (!client) return;
      witness(t, service, `npm @runpod/mcp-server ${server.version}`);
      const use: Use = async (name, args = {}) => {
        const answer = await client.callTool({ name, arguments: args });
        const [{ text = "" } = {}] = answer.content as { text?: string }[];
        assert.ok(!answer.isError, `${name} ${JSON.stringify(args)}: ${text}`);
        return parsed(text);
      };
      await body(use, service);
    });
  };
}

export const testWithMcp3 = testerOf(MCP_3);
export const testWithMcp4 = testerOf(MCP_4);

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
