// A resource as REST v1, REST v2 and GraphQL create, read and change it.

import type { TestService } from "../../fixtures/service/service.ts";
import { ask as askGraphql } from "../../graphql/ask.ts";
import { asker } from "../ask.ts";

export const interfaces = ["v1", "v2", "graphql"] as const;
export type Interface = (typeof interfaces)[number];

/** Calls one service through all interfaces. */
export interface Calls {
  service: TestService;
  rest: ReturnType<typeof asker>;
  graphql: (document: string, variables?: object) => ReturnType<typeof askGraphql>;
}

export function callsOf(service: TestService): Calls {
  return {
    service,
    rest: asker(service),
    graphql: (document, variables) => askGraphql(service, document, variables),
  };
}

type Create = (calls: Calls, name: string) => Promise<string>;
type Read = (calls: Calls, id: string) => Promise<object>;
type Change = (calls: Calls, id: string, value: string) => Promise<unknown>;
type Echo = (calls: Calls, id: string) => Promise<unknown>;

export interface Resource {
  noun: string;
  create: Record<Interface, Create>;
  /** The fields that all interfaces have, in one form. */
  read: Record<Interface, Read>;
  /** Sets one field; absent if the interface cannot change such a resource. */
  change: Partial<Record<Interface, Change>>;
  /** Writes back what the interface reads, as clients do that change one field of it. */
  echo: Partial<Record<Interface, Echo>>;
  /** Sets what only one of the interfaces can say, through it. */
  fill?: (calls: Calls, id: string) => Promise<unknown>;
  /** The whole resource as it is stored. */
  stored: (calls: Calls, id: string) => Promise<object>;
  /** The members of the stored resource that `change` may change. */
  changes: readonly string[];
}

/** Variables as GraphQL has them. */
export const envList = (env: Record<string, string>) =>
  Object.entries(env).map(([key, value]) => ({ key, value }));

export const envObject = (list: readonly { key: string; value: string }[]) =>
  Object.fromEntries(list.map(({ key, value }) => [key, value]));
