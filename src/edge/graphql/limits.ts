// What a document may ask for. Its tokens are counted before it is parsed, and its fields before it is
// validated, for both take time that grows with the document, the second with its square.

import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
} from "graphql";
import { Fault } from "../../domain/fault.ts";

export const documentLimits = {
  tokens: 12_000,
  /** Of braces, brackets and parentheses inside each other. */
  nesting: 60,
  /** Fields as they are written. */
  fields: 1_000,
  aliases: 120,
  /** Of fields inside each other, fragments included. */
  depth: 20,
  /** Of fields that are answered, where a list counts for ten. */
  cost: 50_000,
};

/** What a list is taken to hold. */
const LIST = 10;

const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Throws where the text is too long or nests too deep to be parsed; throws what the lexer does. */
export function checkTokens(text: string): void {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let nesting = 0;
  for (;;) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (++tokens > documentLimits.tokens) throw excess("tokens", documentLimits.tokens);
    if (opening.has(kind)) nesting++;
    else if (closing.has(kind)) nesting--;
    if (nesting > documentLimits.nesting) throw excess("levels", documentLimits.nesting);
  }
}

/** Throws where the document asks for too much. */
export function checkSize(schema: GraphQLSchema, document: DocumentNode): void {
  const written = { fields: 0, aliases: 0 };
  for (const definition of document.definitions) {
    if ("selectionSet" in definition) count(definition.selectionSet, written);
  }
  if (written.fields > documentLimits.fields) throw excess("fields", documentLimits.fields);
  if (written.aliases > documentLimits.aliases) throw excess("aliases", documentLimits.aliases);
  const scales = new Scales(schema, document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(definition.operation);
    const { depth, cost } = scales.weigh(definition.selectionSet, root ?? null);
    if (depth > documentLimits.depth) throw excess("levels of fields", documentLimits.depth);
    if (cost > documentLimits.cost) throw excess("fields in its answer", documentLimits.cost);
  }
}

function count(set: SelectionSetNode, written: { fields: number; aliases: number }): void {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      written.fields++;
      if (selection.alias) written.aliases++;
    }
    if ("selectionSet" in selection && selection.selectionSet)
      count(selection.selectionSet, written);
  }
}

interface Weight {
  depth: number;
  cost: number;
}

const nothing: Weight = { depth: 0, cost: 0 };

/** Each fragment is weighed once; one that holds itself weighs nothing, for it is refused later. */
class Scales {
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #weighed = new Map<string, Weight>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      this.#fragments.set(definition.name.value, definition);
    }
  }

  weigh(set: SelectionSetNode, type: GraphQLObjectType | null): Weight {
    const total = { ...nothing };
    for (const selection of set.selections) {
      const { depth, cost } =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? this.#fragment(selection.name.value)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.weigh(selection.selectionSet, type)
            : this.#field(selection.name.value, selection.selectionSet, type);
      total.depth = Math.max(total.depth, depth);
      total.cost += cost;
    }
    return total;
  }

  #field(
    name: string,
    set: SelectionSetNode | undefined,
    parent: GraphQLObjectType | null,
  ): Weight {
    if (!set) return { depth: 1, cost: 1 };
    const type = parent?.getFields()[name]?.type;
    const named = type && getNamedType(type);
    const { depth, cost } = this.weigh(set, isObjectType(named) ? named : null);
    const times = type && isListType(getNullableType(type)) ? LIST : 1;
    return { depth: depth + 1, cost: 1 + times * cost };
  }

  #fragment(name: string): Weight {
    const known = this.#weighed.get(name);
    const fragment = this.#fragments.get(name);
    if (known || !fragment) return known ?? nothing;
    this.#weighed.set(name, nothing);
    const on = this.#schema.getType(fragment.typeCondition.name.value);
    const weight = this.weigh(fragment.selectionSet, isObjectType(on) ? on : null);
    this.#weighed.set(name, weight);
    return weight;
  }
}

function excess(what: string, most: number): GraphQLError {
  const fault = new Fault("document_too_large", { most, what });
  return new GraphQLError(fault.message, { originalError: fault });
}
