// Parsed and validated documents within the limits. Recent ones are cached: most clients send the same few.

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { checkSize, checkTokens } from "./limits.ts";
import { finiteNumbers, nameField } from "./literals.ts";

/** Bounds of the cache: documents, and characters of each. */
const MAX_DOCUMENTS = 300;
const MAX_CHARACTERS = 20_000;

/** Enough to fix a document by. */
const MAX_ERRORS = 10;

export class DocumentCache {
  readonly #schema: GraphQLSchema;
  readonly #rules: typeof specifiedRules;
  readonly #valid = new Map<string, DocumentNode>();

  constructor(schema: GraphQLSchema, { introspection }: { introspection: boolean }) {
    this.#schema = schema;
    const rules = [...specifiedRules, finiteNumbers];
    this.#rules = introspection ? rules : [...rules, NoSchemaIntrospectionCustomRule];
  }

  /** The document, or its errors. */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    const cached = this.#valid.get(text);
    if (cached) return cached;
    const document = parseDocument(this.#schema, text);
    if (Array.isArray(document)) return document;
    const read = document as DocumentNode;
    const errors = validate(this.#schema, read, this.#rules, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) return errors.map((error) => nameField(read, error));
    if (text.length <= MAX_CHARACTERS) this.#remember(text, read);
    return read;
  }

  /** Evicts the oldest document. */
  #remember(text: string, document: DocumentNode): void {
    if (this.#valid.size >= MAX_DOCUMENTS) this.#valid.delete(this.#valid.keys().next().value!);
    this.#valid.set(text, document);
  }
}

function parseDocument(schema: GraphQLSchema, text: string): DocumentNode | GraphQLError[] {
  try {
    checkTokens(text);
    const document = parse(text);
    checkSize(schema, document);
    return document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
