// The JSON text of long lists that are read again and again while nothing changes.

import type { FastifyReply } from "fastify";
import { JSON_TYPE } from "../../http/json-headers.ts";

interface Sent {
  members: readonly object[];
  bytes: Buffer;
}

/** The last list by its first member. */
const lists = new WeakMap<object, Sent>();

/** No member may change later: the list of the same members has the same bytes. */
export function bytesOfList(members: readonly object[]): Buffer {
  const [first] = members;
  const last = first && lists.get(first);
  if (last && isSame(last.members, members)) return last.bytes;
  const bytes = Buffer.from(`[${members.map(textOf).join(",")}]`);
  if (first) lists.set(first, { members, bytes });
  return bytes;
}

const texts = new WeakMap<object, string>();

/** The text of a member, kept: few of a thousand Pods change their uptime between two requests. */
function textOf(member: object): string {
  const known = texts.get(member);
  if (known !== undefined) return known;
  const text = JSON.stringify(member);
  texts.set(member, text);
  return text;
}

const isSame = (some: readonly object[], others: readonly object[]) =>
  some.length === others.length && some.every((member, n) => member === others[n]);

/** Sends the handler's result in these bytes. Call it last: they would also be those of an error. */
export function sendAs<Result>(reply: FastifyReply, result: Result, bytes: Buffer): Result {
  // Fastify's types know only serializers that return a string.
  reply.type(JSON_TYPE).serializer((() => bytes) as never);
  return result;
}
