// What one operation of an interface is: its address, what it takes, what it answers. Routes, their
// validation, their types and the OpenAPI document are all made from this, so they cannot disagree.

import type { TObject, TSchema } from "typebox";

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As OpenAPI writes it: /v1/templates/{templateId} */
  path: string;
  /** Other addresses that do exactly the same. */
  also?: readonly { method: Operation["method"]; path: string }[];
  tag: string;
  summary: string;
  description?: string;
  /** The permission a key must have; "nobody" where none is asked for. */
  needs:
    | { of: "rest" | "queue"; access: "read" | "write"; area?: Area; ownPod?: boolean }
    | "nobody";
  query?: TObject;
  body?: TSchema;
  /** True where an Idempotency-Key is taken. */
  once?: boolean;
  answer: Answer;
}

/** What it is about, which decides who of an account's people may: "use" for queues, else "resources". */
export type Area = "own" | "resources" | "use" | "billing" | "account";

export interface Answer {
  status: 101 | 200 | 201 | 204;
  description: string;
  /** Of a JSON body; without it the body is empty, or of the media type named. */
  schema?: TSchema;
  mediaType?: string;
  /** What it is instead where the client asks for a stream. */
  stream?: string;
}

export type Operations = Record<string, Operation>;

/** The names between braces in a path. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : unknown;
