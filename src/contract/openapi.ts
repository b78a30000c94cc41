// The OpenAPI document, made from the schemas that validate. Whoever adds an interface adds its
// operations to the list here.

import Type, { type TObject, type TSchema } from "typebox";
import examplesFile from "./examples.json" with { type: "json" };
import type { Operation, Operations } from "./operation.ts";
import { queueOperations } from "./queue/operations.ts";
import { accountOperations } from "./rest-v1/account.ts";
import { accountsOperations } from "./rest-v1/accounts.ts";
import { auditOperations } from "./rest-v1/audit.ts";
import { billingOperations } from "./rest-v1/billing.ts";
import { budgetOperations } from "./rest-v1/budget.ts";
import { catalogOperations } from "./rest-v1/catalog.ts";
import { endpointOperations } from "./rest-v1/endpoint.ts";
import { eventOperations } from "./rest-v1/event.ts";
import { jobOperations } from "./rest-v1/job.ts";
import { jobDeliveryOperations } from "./rest-v1/job-deliveries.ts";
import { keyOperations } from "./rest-v1/key.ts";
import { machineOperations } from "./rest-v1/machine.ts";
import { memberOperations } from "./rest-v1/member.ts";
import { networkVolumeOperations } from "./rest-v1/network-volume.ts";
import { podOperations } from "./rest-v1/pod-operations.ts";
import { priceBookOperations } from "./rest-v1/price-book.ts";
import { quoteOperations } from "./rest-v1/quote.ts";
import { referenceOperations } from "./rest-v1/reference.ts";
import { registryAuthOperations } from "./rest-v1/registry-auth.ts";
import { savingsPlanOperations } from "./rest-v1/savings-plan.ts";
import { secretOperations } from "./rest-v1/secret.ts";
import { sessionOperations } from "./rest-v1/session.ts";
import { sshKeyOperations } from "./rest-v1/ssh-key.ts";
import { templateOperations } from "./rest-v1/template.ts";
import { whyOperations } from "./rest-v1/why.ts";
import { workerOperations } from "./rest-v1/worker.ts";
import { tags } from "./tags.ts";

/** Every operation that clients may use, by its name. */
export const operations: Operations = {
  ...podOperations,
  ...templateOperations,
  ...endpointOperations,
  ...networkVolumeOperations,
  ...registryAuthOperations,
  ...secretOperations,
  ...sshKeyOperations,
  ...queueOperations,
  ...jobOperations,
  ...jobDeliveryOperations,
  ...whyOperations,
  ...workerOperations,
  ...catalogOperations,
  ...machineOperations,
  ...keyOperations,
  ...sessionOperations,
  ...accountOperations,
  ...accountsOperations,
  ...memberOperations,
  ...auditOperations,
  ...billingOperations,
  ...budgetOperations,
  ...savingsPlanOperations,
  ...priceBookOperations,
  ...eventOperations,
  ...quoteOperations,
  ...referenceOperations,
};

const fault = Type.Object(
  {
    error: Type.String({ description: "What was wrong, where, and what would be right." }),
    message: Type.String({ description: "The same as error." }),
    status: Type.Integer({ description: "The HTTP status." }),
    code: Type.String({ description: "Which way of saying no this is; made for programs." }),
  },
  { title: "Fault" },
);

export interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  components: Record<string, Record<string, unknown>>;
}

export interface OpenapiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** The operation that this one is only another address of. */
  "x-same-as"?: string;
  security?: Record<string, string[]>[];
  parameters?: OpenapiParameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, unknown>;
}

export interface OpenapiParameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Record<string, unknown>;
}

type Content = Record<string, { schema?: unknown; example?: unknown }>;

/** What was asked and answered once, by the names of operations. */
const examples: Record<string, { body?: unknown; answer?: unknown }> = examplesFile;

export function openapi(): OpenapiDocument {
  const named = new Named();
  const paths: OpenapiDocument["paths"] = {};
  for (const [name, operation] of Object.entries(operations)) {
    const places = [operation, ...(operation.also ?? [])];
    for (const [n, { method, path }] of places.entries()) {
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
        ...describe(operation, path, named, examples[name]),
      };
    }
  }
  const schema = named.refer(fault);
  const answer = { description: "It was refused.", content: { "application/json": { schema } } };
  return {
    openapi: "3.1.0",
    info: {
      title: "Freehold",
      version: "0.1.0",
      description: "The management interface and the queues of endpoints.",
    },
    servers: [{ url: "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { bare: [] }],
    paths,
    components: {
      schemas: named.schemas(),
      responses: { Fault: answer },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <key>" },
        bare: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "The key alone, as the queue's clients send it.",
        },
      },
    },
  };
}

function describe(
  operation: Operation,
  path: string,
  named: Named,
  example: (typeof examples)[string] = {},
): Omit<OpenapiOperation, "operationId"> {
  const { tag, summary, description, body, answer } = operation;
  const parameters = parametersOf(operation, path, named);
  return {
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(operation.needs === "nobody" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: operation.method !== "GET",
        content: { "application/json": withExample(named.refer(body), example.body) },
      },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...contentOf(answer, named, example.answer),
      },
      ...refusals(operation, path),
    },
  };
}

function withExample(schema: unknown, example: unknown) {
  return { schema, ...(example !== undefined && { example }) };
}

function contentOf(
  { schema, mediaType, stream }: Operation["answer"],
  named: Named,
  example: unknown,
) {
  if (schema) {
    const json = { "application/json": withExample(named.refer(schema), example) };
    return { content: { ...json, ...(stream && { [stream]: {} }) } };
  }
  return mediaType ? { content: { [mediaType]: {} } } : {};
}

function refusals(operation: Operation, path: string): Record<string, unknown> {
  const { query, body, once, needs } = operation;
  const statuses = [
    ...(query || body || path.includes("{") ? [400] : []),
    ...(needs === "nobody" ? [] : [401, 403]),
    ...(path.includes("{") ? [404] : []),
    ...(once ? [409] : []),
    ...(body ? [413] : []),
  ];
  const refusal = { $ref: "#/components/responses/Fault" };
  return Object.fromEntries(statuses.map((status) => [status, refusal]));
}

function parametersOf({ query, once }: Operation, path: string, named: Named) {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]): OpenapiParameter => {
    return { name: name!, in: "path", required: true, schema: { type: "string" } };
  });
  const queries = Object.entries((query as TObject | undefined)?.properties ?? {}).map(
    ([name, member]): OpenapiParameter => {
      const { description, ...schema } = named.refer(member);
      return {
        name,
        in: "query",
        ...(description ? { description: `${description}` } : {}),
        schema,
      };
    },
  );
  const key: OpenapiParameter = {
    name: "Idempotency-Key",
    in: "header",
    description: "The same key and body within 24 hours answer the same and create nothing more.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
  return [...ids, ...queries, ...(once ? [key] : [])];
}

/** Schemas with a title stand under it once and are referred to by it. */
class Named {
  readonly #schemas = new Map<string, Record<string, unknown>>();

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
    const parts = Object.entries(schema).map(([key, value]) => [key, this.#part(value)]);
    const texts = Array.isArray((schema as { enum?: unknown[] }).enum) ? { type: "string" } : {};
    return { ...texts, ...Object.fromEntries(parts) };
  }

  #part(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#part(each));
    if (typeof value === "object" && value !== null) return this.refer(value as TSchema);
    return value;
  }
}
