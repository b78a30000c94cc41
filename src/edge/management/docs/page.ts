// The API reference page: Scalar, served from this origin. Its content security policy allows no request
// to another host.

import fastify from "fastify";
import { JAVASCRIPT, PageAssets } from "../../http/page-asset.ts";

/** The versions of the management API, each with a page of its own. */
export type Version = "v1" | "v2";

const configuration = (version: Version) => ({
  url: `/${version}/openapi.json`,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: "bearer" },
});

/** The route of the bundle within Scalar's plugin. */
const PREFIX = "/scalar";

/** The plugin is the only package that brings the bundle without the 300 packages it is built from. */
async function scalarBundle(): Promise<string> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const app = fastify();
  await app.register(scalar, {
    routePrefix: PREFIX,
    configuration: { url: configuration("v1").url },
  });
  const { payload } = await app.inject(`${PREFIX}/js/scalar.js`);
  await app.close();
  return payload;
}

/** Starts the page. */
export function docsScript(version: Version): string {
  return `Scalar.createApiReference("#app", ${JSON.stringify(configuration(version))});\n`;
}

export const docsAssets = new PageAssets({
  "scalar.js": { type: JAVASCRIPT, read: scalarBundle },
  "start.js": {
    type: JAVASCRIPT,
    read: async () => docsScript("v1"),
  },
});

/** Scalar writes its styles into the page and keeps icons in data URLs. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const docsPage = (version: Version) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Freehold API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The same reference is an OpenAPI document at
<a href="/${version}/openapi.json">/${version}/openapi.json</a>.</noscript>
<div id="app"></div>
<script src="/v1/docs/scalar.js"></script>
<script src="/${version}/docs/start.js"></script>
</body>
</html>
`;
