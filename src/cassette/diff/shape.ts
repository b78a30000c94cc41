// The shape of JSON values: the types at every place, and the members that every object has. Pure.

import { isObject, isRawNumber } from "../format/body.ts";
import { solePlaceholder } from "../normal/placeholders.ts";
import { isTime } from "../normal/times.ts";

export interface Shape {
  /** Names of types; a state such as COMPLETED is a type of its own. */
  types: Set<string>;
  members: Map<string, Member>;
  /** The shape of all items of all lists; null if there are none. */
  items: Shape | null;
}

interface Member {
  shape: Shape;
  /** Every object has it. */
  isRequired: boolean;
}

/** The shape of several values at one place, such as the items of a list. `member` is their name. */
export function shapeOf(values: unknown[], member = ""): Shape {
  const objects = values.filter((value) => isObject(value) && !Array.isArray(value));
  const items = values.filter((value) => Array.isArray(value)).flat();
  return {
    types: new Set(values.map((value) => typeOf(value, member))),
    members: membersOf(objects as Record<string, unknown>[]),
    items: items.length === 0 ? null : shapeOf(items),
  };
}

function membersOf(objects: Record<string, unknown>[]): Map<string, Member> {
  const names = new Set(objects.flatMap((each) => Object.keys(each)));
  const pairs = [...names].map((name): [string, Member] => {
    const holders = objects.filter((each) => Object.hasOwn(each, name));
    const shape = shapeOf(
      holders.map((each) => each[name]),
      name,
    );
    return [name, { shape, isRequired: holders.length === objects.length }];
  });
  return new Map(pairs);
}

const STATE_MEMBER = /^(?:status|desiredStatus)$/;

function typeOf(value: unknown, member: string): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (isRawNumber(value)) return "number";
  if (typeof value !== "string") return typeof value;
  const placeholder = solePlaceholder(value);
  if (placeholder?.name === "number" || /epoch/.test(placeholder?.detail ?? "")) return "number";
  if (placeholder?.name === "time" || isTime(value)) return "time";
  return STATE_MEMBER.test(member) && /^[A-Z_]{2,}$/.test(value) ? stateOf(value) : "string";
}

/** Which of the two states a job has that has not ended depends on timing. */
const stateOf = (text: string) =>
  text === "IN_QUEUE" || text === "IN_PROGRESS" ? "IN_QUEUE or IN_PROGRESS" : text;
