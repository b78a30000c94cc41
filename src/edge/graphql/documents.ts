// Documents that can be executed: within the limits, parsed and valid. Those that came lately are
// remembered, for most clients send the same few again and again.

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

/** As many as are remembered, and as long as one may be. */
const MOST = 300;
const LONGEST = 20_000;

/** Enough to mend a document by. */
const MOST_ERRORS = 10;

export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules: typeof specifiedRules;
  readonly #valid = new Map<string, DocumentNode>();

  constructor(schema: GraphQLSchema, { introspection }: { introspection: boolean }) {
    this.#schema = schema;
    this.#rules = introspection
      ? specifiedRules
      : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  }

  /** The document, or everything that is wrong with it. */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    const known = this.#valid.get(text);
    if (known) return known;
    const document = parsed(this.#schema, text);
    if (Array.isArray(document)) return document;
    const read = document as DocumentNode;
    const errors = validate(this.#schema, read, this.#rules, { maxErrors: MOST_ERRORS });
    if (errors.length > 0) return errors;
    if (text.length <= LONGEST) this.#remember(text, read);
    return read;
  }

  /** The oldest goes first. */
  #remember(text: string, document: DocumentNode): void {
    if (this.#valid.size >= MOST) this.#valid.delete(this.#valid.keys().next().value!);
    this.#valid.set(text, document);
  }
}

function parsed(schema: GraphQLSchema, text: string): DocumentNode | GraphQLError[] {
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
