// The description of one operation of an interface: its path, parameters and response. Routes, their
// validation, their types and the OpenAPI document all derive from it, so they cannot disagree.

import type { TObject, TSchema } from "typebox";

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In OpenAPI notation: /v1/templates/{templateId} */
  path: string;
  /** Aliases: other methods and paths of the same operation. */
  also?: readonly { method: Operation["method"]; path: string }[];
  tag: string;
  summary: string;
  description?: string;
  /** The permission that the caller's key must have; "nothing" if the operation needs no key. */
  needs:
    | { of: "rest" | "queue"; access: "read" | "write"; area?: Area; ownPod?: boolean }
    | "nothing";
  query?: TObject;
  body?: TSchema;
  /** Whether the operation accepts an Idempotency-Key. */
  once?: boolean;
  /** Path parameters that are names of the catalog, which may hold any character. */
  names?: readonly string[];
  /** Statuses of faults that differ from the interface's usual ones, by code. */
  faultStatuses?: Readonly<Record<string, number>>;
  answer: Answer;
  /** Whether a success can also be 204 without a body. */
  alsoNoContent?: boolean;
}

/** The subject of an operation, which decides which roles may call it. The default is "use" for queues, else "resources". */
type Area = "own" | "resources" | "use" | "billing" | "account";

interface Answer {
  status: 101 | 200 | 201 | 204;
  description: string;
  /** The schema of a JSON body. Without it, the body is empty or has `mediaType`. */
  schema?: TSchema;
  mediaType?: string;
  /** The media type of the response if the client asks for a stream. */
  stream?: string;
}

/** The permissions of most operations on resources. */
export const read = { of: "rest", access: "read" } as const;
export const write = { of: "rest", access: "write" } as const;

export type Operations = Record<string, Operation>;

/** The names between braces in a path. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : unknown;
