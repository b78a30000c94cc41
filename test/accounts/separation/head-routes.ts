// The routes that answer HEAD: pages and probes that need no key, as their GET does.

import { type Case, open } from "./case.ts";

const paths = [
  "/healthz",
  "/readyz",
  "/docs",
  "/docs/*",
  "/docs/search.json",
  "/llms.txt",
  "/tls/root.pem",
  "/v1",
  "/v1/docs",
  "/v1/docs/:file",
  "/v1/openapi.json",
  "/v1/reservations.ics",
  "/v1/sign-in",
  "/v2/docs",
  "/v2/docs/start.js",
  "/v2/openapi.json",
];

export const headRoutes: Record<string, Case> = Object.fromEntries(
  paths.map((path) => [`HEAD ${path}`, open]),
);
