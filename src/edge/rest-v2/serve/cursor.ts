// Cursors of paged lists: the position after the last item of a page. A cursor is valid only for the
// account, the operation and the filters that it was made for.

import { createHash } from "node:crypto";
import type { Page, PagePosition, PageRequest } from "../../../flows/page.ts";
import { invalidFields } from "./invalid-fields.ts";

const VERSION = 1;
const DIGEST_LENGTH = 16;
/** The digest, and the position: when an item was created, and its id. */
const CURSOR = /^([0-9a-f]{16})\.((\d{1,16})\.(.+))$/s;
const MAX_LIMIT = 1_000;

/** What a cursor is bound to: the account, the operation, and the filters that select items. */
export interface CursorScope {
  accountId: string;
  operation: string;
  filters?: Readonly<Record<string, unknown>>;
}

export interface PageQuery {
  cursor?: string;
  limit?: number;
}

/** Throws a fault if the cursor is damaged or belongs to another list. */
export function pageRequest(scope: CursorScope, { cursor, limit }: PageQuery): PageRequest {
  return {
    after: cursor === undefined ? null : positionIn(scope, cursor),
    limit: limit ?? MAX_LIMIT,
  };
}

export function paginationOf(scope: CursorScope, { next }: Pick<Page<unknown>, "next">) {
  return {
    nextCursor: next === null ? null : cursorAt(scope, next),
    hasNextPage: next !== null,
  };
}

function cursorAt(scope: CursorScope, { createdAt, id }: PagePosition): string {
  const position = `${createdAt}.${id}`;
  return Buffer.from(`${digestOf(scope, position)}.${position}`).toString("base64url");
}

function positionIn(scope: CursorScope, cursor: string): PagePosition {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, digest, position = "", createdAt, id] = CURSOR.exec(text) ?? [];
  // Decoding ignores invalid characters, so the cursor must be exactly the encoding of its text.
  const isWhole = Buffer.from(text).toString("base64url") === cursor;
  if (!id || !isWhole || digest !== digestOf(scope, position)) {
    const complaint = "must be the nextCursor of a page of the same list with the same filters";
    throw invalidFields([{ path: "cursor", complaint }]);
  }
  return { createdAt: Number(createdAt), id };
}

function digestOf({ accountId, operation, filters = {} }: CursorScope, position: string): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  const scope = JSON.stringify([VERSION, accountId, operation, sorted, position]);
  return createHash("sha256").update(scope).digest("hex").slice(0, DIGEST_LENGTH);
}
