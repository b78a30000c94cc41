// Whether a request is a browser's navigation, which takes a page, or a program's.

import type { RouteRequest } from "./route.ts";

export function acceptsHtml({ headers }: Pick<RouteRequest, "headers">): boolean {
  return headers.accept?.includes("text/html") === true;
}
