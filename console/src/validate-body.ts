// Validation of a request body by its schema in the OpenAPI document, with a message for each field.

export interface BodySchema {
  /** A list for a value that may be null. */
  type?: string | string[];
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  /** What a value must be, in words. */
  "x-takes"?: string;
  properties?: Record<string, BodySchema>;
  /** What each other property takes. */
  additionalProperties?: BodySchema | boolean;
  items?: BodySchema;
  anyOf?: BodySchema[];
}

export type BodyErrors = Record<string, string>;

/** Messages by the name of the field; empty if the body is valid. */
export function validateBody(schema: BodySchema, body: object): BodyErrors {
  const values = body as Record<string, unknown>;
  const errors: BodyErrors = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = values[name];
    const isMissing = value === undefined;
    if (isMissing && !schema.required?.includes(name)) continue;
    const message = isMissing ? REQUIRED : validateValue(property, value);
    if (message) errors[name] = message;
  }
  const { properties = {}, additionalProperties: others } = schema;
  if (typeof others !== "object") return errors;
  for (const [name, value] of Object.entries(values)) {
    const message = Object.hasOwn(properties, name) ? null : validateValue(others, value);
    if (message) errors[name] = `${name}: ${message}`;
  }
  return errors;
}

const REQUIRED = "Required";

function validateValue(schema: BodySchema, value: unknown): string | null {
  const own = validateOwn(schema, value);
  if (own) return own;
  if (!schema.anyOf) return null;
  const messages = schema.anyOf.map((each) => validateValue(each, value));
  if (messages.includes(null)) return null;
  const detail = messages.find((message) => message !== WRONG_TYPE);
  // The message about a member says more than what the whole object must be.
  const isObject = typeof value === "object" && value !== null;
  return (isObject ? (detail ?? takes(schema)) : (takes(schema) ?? detail)) ?? WRONG_TYPE;
}

const WRONG_TYPE = "Invalid value";

const takes = ({ "x-takes": words }: BodySchema) => (words ? `Must be ${words}` : null);

function validateOwn(schema: BodySchema, value: unknown): string | null {
  if (schema.const !== undefined && schema.const !== value) return takes(schema) ?? WRONG_TYPE;
  if (schema.enum && !schema.enum.includes(value)) {
    return takes(schema) ?? `Must be one of ${schema.enum.join(", ")}`;
  }
  const { type } = schema;
  if (Array.isArray(type)) {
    if (value === null && type.includes("null")) return null;
    const other = type.find((each) => each !== "null");
    return validateOwn({ ...schema, ...(other && { type: other }) }, value);
  }
  switch (type) {
    case "string":
      return typeof value === "string" ? validateText(schema, value) : WRONG_TYPE;
    case "integer":
    case "number":
      return validateNumber(schema, value);
    case "boolean":
      return typeof value === "boolean" ? null : WRONG_TYPE;
    case "null":
      return value === null ? null : WRONG_TYPE;
    case "array":
      return Array.isArray(value) ? validateItems(schema, value) : WRONG_TYPE;
    case "object":
      return validateObject(schema, value);
    default:
      return typeof value === "number" ? validateRange(schema, value) : null;
  }
}

function validateText(schema: BodySchema, text: string): string | null {
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  const length = [...text].length;
  if (length < minLength) return length === 0 ? REQUIRED : `At least ${minLength} characters`;
  if (length > maxLength) return `At most ${maxLength} characters`;
  if (pattern && !new RegExp(pattern, "u").test(text)) {
    return text === "" ? REQUIRED : (takes(schema) ?? "Invalid format");
  }
  return null;
}

function validateNumber(schema: BodySchema, value: unknown): string | null {
  if (typeof value !== "number") return WRONG_TYPE;
  if (Number.isNaN(value)) return "Enter a number";
  if (schema.type === "integer" && !Number.isInteger(value)) return "Enter a whole number";
  return validateRange(schema, value);
}

function validateRange({ minimum, maximum }: BodySchema, value: number): string | null {
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `Must be at most ${maximum}`;
  return null;
}

function validateItems({ items }: BodySchema, values: unknown[]): string | null {
  if (!items) return null;
  for (const value of values) {
    const message = validateValue(items, value);
    if (message) return typeof value === "string" ? `${value}: ${message}` : message;
  }
  return null;
}

function validateObject(schema: BodySchema, value: unknown): string | null {
  if (typeof value !== "object" || value === null) return WRONG_TYPE;
  return Object.values(validateBody(schema, value))[0] ?? null;
}

/** The fields that a refusal of the service names, as in `"name" must be a string.` */
export function fieldsInMessage(message: string, names: string[]): BodyErrors {
  const errors: BodyErrors = {};
  const sentences = message.split(/(?<=\.)\s+(?=")/);
  for (const sentence of sentences) {
    const name = /^"([A-Za-z0-9]+)/.exec(sentence)?.[1];
    if (name && names.includes(name)) errors[name] ??= sentence;
  }
  return errors;
}
