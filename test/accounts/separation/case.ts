// The expected result of a request with the ids of another account.

import type { Ids, Scene } from "./scene.ts";

/**
 * hidden   another account's resource is not found: 404
 * own      the response covers the calling account only
 * refused  the route is for other callers: 403
 * invalid  the body names another account's resource: 400
 * open     the response is the same for every account
 * endless  a stream, which has its own test
 */
export type Outcome = "hidden" | "own" | "refused" | "invalid" | "open" | "endless";

export interface Case {
  outcome: Outcome;
  body?: (ids: Ids, own: Scene["own"]) => object;
}

export const hidden: Case = { outcome: "hidden" };
export const own: Case = { outcome: "own" };
export const refused: Case = { outcome: "refused" };
export const open: Case = { outcome: "open" };
type Body = NonNullable<Case["body"]>;
export const withBody = (outcome: Outcome, body: Record<string, unknown> | Body): Case => ({
  outcome,
  body: typeof body === "function" ? body : () => body,
});
