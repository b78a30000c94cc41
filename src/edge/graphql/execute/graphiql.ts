// GraphiQL, served from this origin. Its content security policy allows no request to another host.

import type { FastifyInstance, FastifyReply } from "fastify";
import { Fault } from "../../../domain/fault.ts";
import { JAVASCRIPT, type PageAsset, PageAssets } from "../../http/page-asset.ts";

const withoutKey = { config: { needs: "nothing" as const } };

export function sendGraphiql(reply: FastifyReply): FastifyReply {
  reply.header("content-security-policy", POLICY);
  return reply.type("text/html; charset=utf-8").send(PAGE);
}

/** The routes of the page's files. */
export function graphiqlRoutes(app: FastifyInstance): void {
  app.get("/graphql/graphiql/:file", withoutKey, async (request, reply) => {
    const { file } = request.params as { file: string };
    const path = "/graphql/graphiql/:file";
    if (!assets.has(file)) throw new Fault("route_not_found", { method: "GET", path });
    return assets.send(reply, file);
  });
}

type Bundle = typeof import("@graphql-yoga/render-graphiql/graphiql");

const START = `YogaGraphiQL.renderYogaGraphiQL(document.querySelector("#root"), {
  endpoint: "/graphql",
  title: "Freehold",
  defaultQuery: ${JSON.stringify(`# Put your key into the headers below:
# {"Authorization": "Bearer fh_..."}
# Without a key you can read the catalog.

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

function asset(type: string, select: (bundle: Bundle) => string): PageAsset {
  const read = async () => select(await import("@graphql-yoga/render-graphiql/graphiql"));
  return { type, read };
}

const assets = new PageAssets({
  "graphiql.js": asset(JAVASCRIPT, ({ js }) => `${WORKERS}${js};\n${START}`),
  "editor.js": asset(JAVASCRIPT, ({ editorWorkerService }) => editorWorkerService),
  "json.js": asset(JAVASCRIPT, ({ jsonWorker }) => jsonWorker),
  "graphql.js": asset(JAVASCRIPT, ({ graphqlWorker }) => graphqlWorker),
  "graphiql.css": asset("text/css; charset=utf-8", ({ css }) => css),
});

/** The editor adds style elements and keeps fonts and images in data URLs. */
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
