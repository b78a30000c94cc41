// What answers the fields of the schema, noun by noun.

import type { GraphQLFieldResolver } from "graphql";
import type { Context } from "./context.ts";

/** By type and field; what is not here is a property of what its parent answered. */
export type Fields = Record<string, Record<string, GraphQLFieldResolver<never, Context, never>>>;
