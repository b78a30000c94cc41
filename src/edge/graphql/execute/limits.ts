// Limits of a document. Tokens are counted before it is parsed and fields before it is validated: parsing
// takes time linear in the tokens, validation quadratic in the fields.

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
import { Fault } from "../../../domain/fault.ts";

const documentLimits = {
  tokens: 12_000,
  /** Depth of nested braces, brackets and parentheses. */
  nesting: 60,
  /** Fields in the text. */
  fields: 1_000,
  aliases: 120,
  /** Depth of nested fields, fragments included. */
  depth: 20,
  /** Fields in the reply, where each list counts as ten items, or as the items of the catalog. */
  cost: 50_000,
};

/** The assumed length of a list. */
const ITEMS_PER_LIST = 10;

/** Lists of the catalog that nest in each other. */
const CATALOG_LISTS: Readonly<Record<string, number>> = {
  "DataCenter.gpuAvailability": 60,
  "GpuType.nodeGroupDatacenters": 30,
};

const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Throws if the text has too many tokens or nests too deep to be parsed, and on a lexical error. */
export function checkTokens(text: string): void {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let nesting = 0;
  for (;;) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (++tokens > documentLimits.tokens) throw documentTooLarge("tokens", documentLimits.tokens);
    if (opening.has(kind)) nesting++;
    else if (closing.has(kind)) nesting--;
    if (nesting > documentLimits.nesting) throw documentTooLarge("levels", documentLimits.nesting);
  }
}

/** Throws if the document has too many fields or aliases, nests too deep or costs too much. */
export function checkSize(schema: GraphQLSchema, document: DocumentNode): void {
  const totals = { fields: 0, aliases: 0 };
  for (const definition of document.definitions) {
    if ("selectionSet" in definition) countSelections(definition.selectionSet, totals);
  }
  if (totals.fields > documentLimits.fields)
    throw documentTooLarge("fields", documentLimits.fields);
  if (totals.aliases > documentLimits.aliases)
    throw documentTooLarge("aliases", documentLimits.aliases);
  const meter = new SizeMeter(schema, document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(definition.operation);
    const { depth, cost } = meter.measure(definition.selectionSet, root ?? null);
    if (depth > documentLimits.depth)
      throw documentTooLarge("levels of fields", documentLimits.depth);
    if (cost > documentLimits.cost)
      throw documentTooLarge("fields in its answer", documentLimits.cost);
  }
}

function countSelections(set: SelectionSetNode, totals: { fields: number; aliases: number }): void {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      totals.fields++;
      if (selection.alias) totals.aliases++;
    }
    if ("selectionSet" in selection && selection.selectionSet)
      countSelections(selection.selectionSet, totals);
  }
}

interface Size {
  depth: number;
  cost: number;
}

const emptySize: Size = { depth: 0, cost: 0 };

/** Measures each fragment once. A fragment in a cycle measures nothing; validation refuses it later. */
class SizeMeter {
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #sizes = new Map<string, Size>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      this.#fragments.set(definition.name.value, definition);
    }
  }

  measure(set: SelectionSetNode, type: GraphQLObjectType | null): Size {
    const total = { ...emptySize };
    for (const selection of set.selections) {
      const { depth, cost } =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? this.#fragment(selection.name.value)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.measure(selection.selectionSet, type)
            : this.#field(selection.name.value, selection.selectionSet, type);
      total.depth = Math.max(total.depth, depth);
      total.cost += cost;
    }
    return total;
  }

  #field(name: string, set: SelectionSetNode | undefined, parent: GraphQLObjectType | null): Size {
    if (!set) return { depth: 1, cost: 1 };
    const type = parent?.getFields()[name]?.type;
    const named = type && getNamedType(type);
    const { depth, cost } = this.measure(set, isObjectType(named) ? named : null);
    const isList = type && isListType(getNullableType(type));
    const times = isList ? (CATALOG_LISTS[`${parent?.name}.${name}`] ?? ITEMS_PER_LIST) : 1;
    return { depth: depth + 1, cost: 1 + times * cost };
  }

  #fragment(name: string): Size {
    const measured = this.#sizes.get(name);
    const fragment = this.#fragments.get(name);
    if (measured || !fragment) return measured ?? emptySize;
    this.#sizes.set(name, emptySize);
    const on = this.#schema.getType(fragment.typeCondition.name.value);
    const size = this.measure(fragment.selectionSet, isObjectType(on) ? on : null);
    this.#sizes.set(name, size);
    return size;
  }
}

function documentTooLarge(what: string, limit: number): GraphQLError {
  const fault = new Fault("document_too_large", { limit, what });
  return new GraphQLError(fault.message, { originalError: fault });
}
