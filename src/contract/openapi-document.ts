// Builds the OpenAPI document of an interface from the schemas that validate its requests.

import type { TObject, TSchema } from "typebox";
import { CATALOG, type CatalogNames, REPEATS } from "./fields.ts";
import type { Operation, Operations } from "./operation.ts";

/** What the document of an interface is made of. */
export interface Interface {
  info: OpenapiDocument["info"];
  operations: Operations;
  tags: Readonly<Record<string, string>>;
  /** A recorded request and response for each operation, by operation name. */
  examples: Readonly<Record<string, Example>>;
  error: { name: string; schema: TSchema; mediaType: string };
  /** The status of a request whose shape is wrong. */
  invalidStatus: number;
  /** Whether a list in a query is a repeated parameter; otherwise it is one value with commas. */
  explodesLists: boolean;
  catalogNames?: CatalogNames | undefined;
  security: Readonly<Record<string, object>>;
}

interface Example {
  body?: unknown;
  answer?: unknown;
}

export interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  components: Record<string, Record<string, unknown>>;
}

interface OpenapiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** The operation that this one is an alias of. */
  "x-same-as"?: string;
  security?: Record<string, string[]>[];
  parameters?: OpenapiParameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, unknown>;
}

interface OpenapiParameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  style?: "form";
  explode?: boolean;
  schema: Record<string, unknown>;
}

type Content = Record<string, { schema?: unknown; example?: unknown }>;

export function openapiDocument(described: Interface): OpenapiDocument {
  const { operations, info, tags, examples, error, security } = described;
  const registry = new SchemaRegistry(described.catalogNames);
  const paths: OpenapiDocument["paths"] = {};
  for (const [name, operation] of Object.entries(operations)) {
    const routes = [operation, ...(operation.also ?? [])];
    for (const [n, { method, path }] of routes.entries()) {
      const ids =
        n === 0
          ? { operationId: name }
          : {
              operationId: `${name}By${method[0]}${method.slice(1).toLowerCase()}`,
              "x-same-as": name,
            };
      paths[path] ??= {};
      paths[path][method.toLowerCase()] = {
        ...ids,
        ...describeOperation(described, operation, path, registry, examples[name]),
      };
    }
  }
  const schema = registry.refer(error.schema);
  const answer = {
    description: "The request failed.",
    content: { [error.mediaType]: { schema } },
  };
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: Object.keys(security).map((name) => ({ [name]: [] })),
    paths,
    components: {
      schemas: registry.schemas(),
      responses: { [error.name]: answer },
      securitySchemes: { ...security },
    },
  };
}

function describeOperation(
  described: Interface,
  operation: Operation,
  path: string,
  registry: SchemaRegistry,
  example: Example = {},
): Omit<OpenapiOperation, "operationId"> {
  const { tag, summary, description, body, answer } = operation;
  const parameters = parametersOf(described, operation, path, registry);
  return {
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(operation.needs === "nothing" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: operation.method !== "GET",
        content: { "application/json": withExample(registry.refer(body), example.body) },
      },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...contentOf(answer, registry, example.answer),
      },
      ...(operation.alsoNoContent && { 204: { description: "The resource is deleted." } }),
      ...errorResponses(described, operation, path),
    },
  };
}

function withExample(schema: unknown, example: unknown) {
  return { schema, ...(example !== undefined && { example }) };
}

function contentOf(
  { schema, mediaType, stream }: Operation["answer"],
  registry: SchemaRegistry,
  example: unknown,
) {
  if (schema) {
    const json = { "application/json": withExample(registry.refer(schema), example) };
    return { content: { ...json, ...(stream && { [stream]: {} }) } };
  }
  return mediaType ? { content: { [mediaType]: {} } } : {};
}

function errorResponses(
  { invalidStatus, error }: Interface,
  operation: Operation,
  path: string,
): Record<string, unknown> {
  const { query, body, once, needs, faultStatuses = {} } = operation;
  const statuses = [
    ...(query || body || path.includes("{") ? [400] : []),
    ...(query || body ? [invalidStatus] : []),
    ...Object.values(faultStatuses),
    ...(needs === "nothing" ? [] : [401, 403]),
    ...(path.includes("{") ? [404] : []),
    ...(once ? [409] : []),
    ...(body ? [413] : []),
  ];
  const errorResponse = { $ref: `#/components/responses/${error.name}` };
  return Object.fromEntries(statuses.map((status) => [status, errorResponse]));
}

function parametersOf(
  { explodesLists }: Interface,
  { query, once }: Operation,
  path: string,
  registry: SchemaRegistry,
) {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]): OpenapiParameter => {
    return { name: name!, in: "path", required: true, schema: { type: "string" } };
  });
  const queries = Object.entries((query as TObject | undefined)?.properties ?? {}).map(
    ([name, member]): OpenapiParameter => {
      const { description, ...schema } = registry.refer(member);
      return {
        name,
        in: "query",
        ...(description ? { description: `${description}` } : {}),
        ...(schema.type === "array" &&
          !explodesLists &&
          !(REPEATS in schema) && { style: "form", explode: false }),
        schema,
      };
    },
  );
  const key: OpenapiParameter = {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A repeated request with the same key and body within 24 hours returns the first response and creates nothing.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
  return [...ids, ...queries, ...(once ? [key] : [])];
}

/** Collects the schemas that have a title; the document refers to each by its title. */
class SchemaRegistry {
  readonly #schemas = new Map<string, Record<string, unknown>>();
  readonly #catalogNames: CatalogNames | undefined;

  constructor(catalogNames: CatalogNames | undefined) {
    this.#catalogNames = catalogNames;
  }

  refer(schema: TSchema): Record<string, unknown> {
    const { title } = schema as { title?: unknown };
    if (typeof title !== "string") return this.#within(schema);
    if (!this.#schemas.has(title)) {
      this.#schemas.set(title, {});
      this.#schemas.set(title, this.#within(schema));
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  schemas(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #within(schema: TSchema): Record<string, unknown> {
    const { [CATALOG]: list, ...rest } = schema as {
      [CATALOG]?: keyof CatalogNames;
      enum?: unknown;
    };
    const parts = Object.entries(rest).map(([key, value]) => [key, this.#part(value)]);
    const texts = Array.isArray(rest.enum) ? { type: "string" } : {};
    const names = list && this.#catalogNames?.[list];
    return { ...texts, ...Object.fromEntries(parts), ...(names && { enum: names }) };
  }

  #part(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#part(each));
    if (typeof value === "object" && value !== null) return this.refer(value as TSchema);
    return value;
  }
}
