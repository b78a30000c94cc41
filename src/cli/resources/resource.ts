// A kind of resource as the command line offers it: the operations of the API, the columns of its table,
// and nothing else. src/cli/resources/resource-table.ts lists them.

import type { Operation, Operations } from "../../contract/operation.ts";
import type { ApiRoute, ItemOf, QueryOf } from "../client/api.ts";
import type { TableColumn } from "../output/table.ts";

export type Item = Record<string, unknown> & { id: string };

export interface Resource {
  /** The singular, as sentences use it: "Pod". */
  noun: string;
  /** Where it is not the singular with an s. */
  plural?: string;
  list: ApiRoute;
  get?: ApiRoute;
  create?: ApiRoute;
  update?: ApiRoute;
  remove?: ApiRoute;
  /** Another word for `delete`. */
  deleteAlias?: string;
  /** Other subcommands on one item. */
  actions?: Record<string, Action>;
  columns: readonly TableColumn<never>[];
  /** Lines below the table, for people. */
  footer?(rows: readonly never[]): string;
  /** Query parameters of the list that are options, with their help. */
  filters?: Record<string, string>;
  /** The query of the list unless `--own` is given. */
  alsoListed?: Record<string, unknown>;
  /** The query that finds an item by its name. */
  findIn?: Record<string, unknown>;
  /** The query parameter of a list that can be long for the beginning of an id. */
  beginningIn?: string;
  /** The name of the resource whose items have lists of their own, such as the workers of endpoints. */
  parent?: string;
  /** What `create --quiet` prints instead of the id. */
  shownOnce?: string;
  /** Where the schemas of `create` and `update` are. They load with these subcommands only. */
  schemas(): Promise<Operations>;
}

export interface Action {
  route: ApiRoute;
  about: string;
  /** What is printed when it is done, of the answer if need be: "starts". */
  done: string | ((answer: never) => string);
  /** The sentence about an answer that says that it had no success; null if it had. */
  failure?(answer: never): string | null;
  body?: unknown;
  /** The operation on all items that match filters. */
  bulk?: "retry" | "cancel";
}

/** A definition whose columns and filters fit what the list answers. */
export interface Definition<List extends ApiRoute>
  extends Omit<
    Resource,
    "list" | "columns" | "footer" | "filters" | "findIn" | "beginningIn" | "alsoListed"
  > {
  list: List;
  columns: readonly TableColumn<ItemOf<List>>[];
  footer?: (rows: readonly ItemOf<List>[]) => string;
  filters?: Partial<Record<keyof QueryOf<List> & string, string>>;
  findIn?: QueryOf<List>;
  alsoListed?: QueryOf<List>;
  beginningIn?: keyof QueryOf<List> & string;
}

export function resource<List extends ApiRoute>(definition: Definition<List>): Resource {
  return definition as unknown as Resource;
}

export const pluralOf = ({ noun, plural = `${noun}s` }: Resource) => plural;
export const wordFor = ({ noun }: Resource) => noun.toLowerCase().replaceAll(" ", "-");
export const idHelp = ({ columns }: Resource) =>
  columns.some(([heading]) => heading === "NAME") ? "an id or a name" : "an id";

/** The parameter of a route that names the item itself: the last one. */
export function idParamOf(route: ApiRoute): string {
  return /\{(\w+)\}(?!.*\{)/.exec(route)?.[1] ?? "";
}

/** The schema of a route's body; empty if it has none. */
export const bodySchema = async (kind: Resource, route: ApiRoute | undefined): Promise<object> =>
  (await operationOf(kind, route))?.body ?? {};

/** The schema of what a route answers. */
export const answerSchema = async (kind: Resource, route: ApiRoute): Promise<object> =>
  (await operationOf(kind, route))?.answer.schema ?? {};

async function operationOf(kind: Resource, route: ApiRoute | undefined) {
  const operations: Operation[] = Object.values(await kind.schemas());
  return operations.find(({ method, path }) => `${method} ${path}` === route);
}
