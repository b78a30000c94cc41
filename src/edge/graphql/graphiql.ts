// GraphiQL in a browser, all of it from here: the page asks no other host for anything. What it is made
// of is read when somebody opens it for the first time, and kept compressed.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";

const open = { config: { needs: "nobody" as const } };

export function graphiqlRoutes(app: FastifyInstance): void {
  app.get("/graphql", open, async (request, reply) => {
    if (!wantsPage(request)) {
      reply.header("allow", "POST");
      const facts = { method: "GET", path: "/graphql", allowed: "POST" };
      throw new Fault("method_not_allowed", facts);
    }
    reply.header("content-security-policy", POLICY);
    return reply.type("text/html; charset=utf-8").send(PAGE);
  });
  app.get("/graphql/graphiql/:file", open, async (request, reply) => {
    const { file } = request.params as { file: string };
    const part = Object.hasOwn(parts, file) ? parts[file as keyof typeof parts] : undefined;
    const path = "/graphql/graphiql/:file";
    if (!part) throw new Fault("route_not_found", { method: "GET", path });
    return sendPart(reply, part.type, await compressed(file as keyof typeof parts));
  });
}

/** What browsers ask for and programs do not. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes("text/html") === true;
}

type Pieces = typeof import("@graphql-yoga/render-graphiql/graphiql");

const START = `YogaGraphiQL.renderYogaGraphiQL(document.querySelector("#root"), {
  endpoint: "/graphql",
  title: "Freehold",
  defaultQuery: ${JSON.stringify(`# Your key goes into the headers below:
# {"Authorization": "Bearer fh_..."}
# Without one there is the catalog.

{
  gpuTypes {
    id
    memoryInGb
    lowestPrice(input: { gpuCount: 1 }) {
      uninterruptablePrice
      stockStatus
    }
  }
}
`)},
});
`;

const WORKERS = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => "/graphql/graphiql/" + (label === "editorWorkerService" ? "editor" : label) + ".js",
};
`;

const javascript = "text/javascript; charset=utf-8";
const parts = {
  "graphiql.js": { type: javascript, text: ({ js }: Pieces) => `${WORKERS}${js};\n${START}` },
  "editor.js": { type: javascript, text: (pieces: Pieces) => pieces.editorWorkerService },
  "json.js": { type: javascript, text: (pieces: Pieces) => pieces.jsonWorker },
  "graphql.js": { type: javascript, text: (pieces: Pieces) => pieces.graphqlWorker },
  "graphiql.css": { type: "text/css; charset=utf-8", text: ({ css }: Pieces) => css },
};

const kept = new Map<string, Promise<Buffer>>();

function compressed(file: keyof typeof parts): Promise<Buffer> {
  const known = kept.get(file);
  if (known) return known;
  const made = compress(file);
  kept.set(file, made);
  return made;
}

async function compress(file: keyof typeof parts): Promise<Buffer> {
  const pieces = await import("@graphql-yoga/render-graphiql/graphiql");
  return promisify(gzip)(parts[file].text(pieces));
}

function sendPart(reply: FastifyReply, type: string, body: Buffer): FastifyReply {
  reply.header("content-encoding", "gzip").header("cache-control", "public, max-age=3600");
  return reply.type(type).send(body);
}

/** Its editor writes styles and carries its fonts and pictures inside. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Freehold GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/graphiql/graphiql.css">
</head>
<body id="body" class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<div id="root"></div>
<script src="/graphql/graphiql/graphiql.js"></script>
</body>
</html>
`;
