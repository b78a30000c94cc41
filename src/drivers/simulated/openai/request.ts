// Requests in OpenAI's form, as far as they are simulated. A field that would change the form of the answer in a
// way that is not simulated is refused.

import { isObject } from "../../../base/json/is-object.ts";

export interface TextRequest {
  model: string;
  /** The text that the answer repeats. */
  prompt: string;
  promptTokens: number;
  maxTokens: number | null;
  /** How many answers it asks for. */
  choices: number;
  stops: string[];
  wantsJson: boolean;
  stream: boolean;
  includesUsage: boolean;
}

export interface EmbeddingsRequest {
  model: string;
  /** What each embedding is of, as text. */
  inputs: string[];
  promptTokens: number;
  dimensions: number | null;
  isBase64: boolean;
}

/** What is wrong with a request: becomes OpenAI's error object. */
export class OpenaiError extends Error {
  readonly status: number;
  readonly param: string | null;

  constructor(status: number, param: string | null, sentence: string) {
    super(sentence);
    this.status = status;
    this.param = param;
  }
}

const MAX_CHOICES = 128;
const MAX_DIMENSIONS = 8_192;
const MAX_INPUTS = 2_048;
/** The limit of OpenAI. */
const MAX_STOPS = 4;
/** Each event of a stream repeats it. */
const MAX_MODEL_CHARS = 512;

/** Words with the space before them. */
const TOKENS = /\s*\S+|\s+$/g;

export function tokensOf(text: string): string[] {
  return text.match(TOKENS) ?? [];
}

/** `hasText` says that the text of answers is set, so that it may have any form. */
export function readTextRequest(body: unknown, isChat: boolean, hasText: boolean): TextRequest {
  const fields = objectOf(body);
  refuseUnsimulated(fields, hasText);
  const { prompt, promptTokens } = isChat ? readMessages(fields) : readPrompt(fields);
  const maxField = fields.max_completion_tokens == null ? "max_tokens" : "max_completion_tokens";
  const options = fields.stream_options;
  return {
    model: readModel(fields),
    prompt,
    promptTokens,
    maxTokens: readCount(fields, maxField, Number.MAX_SAFE_INTEGER),
    choices: readCount(fields, "n", MAX_CHOICES) ?? 1,
    stops: readStops(fields.stop),
    wantsJson: formatOf(fields) === "json_object",
    stream: fields.stream === true,
    includesUsage: isObject(options) && options.include_usage === true,
  };
}

export function readEmbeddingsRequest(body: unknown): EmbeddingsRequest {
  const fields = objectOf(body);
  const { input } = fields;
  const isOne = typeof input === "string" || isTokens(input);
  const elements = isOne ? [input] : Array.isArray(input) ? input : [];
  if (elements.length > MAX_INPUTS) refuse("input", `has more than ${MAX_INPUTS} elements`);
  if (
    elements.length === 0 ||
    !elements.every((each) => typeof each === "string" || isTokens(each))
  )
    refuse("input", "takes a text, a list of texts, or lists of tokens");
  const format = fields.encoding_format ?? "float";
  if (format !== "float" && format !== "base64")
    refuse("encoding_format", 'takes "float" or "base64"');
  return {
    model: readModel(fields),
    inputs: elements.map((each) => (typeof each === "string" ? each : JSON.stringify(each))),
    promptTokens: sum(elements.map(countTokens)),
    dimensions: readCount(fields, "dimensions", MAX_DIMENSIONS),
    isBase64: format === "base64",
  };
}

function refuseUnsimulated(fields: Record<string, unknown>, hasText: boolean): void {
  const choice = fields.tool_choice;
  if (choice === "required" || isObject(choice))
    refuse("tool_choice", "is simulated as auto and none only: the answer calls no tool");
  if (fields.logprobs != null && fields.logprobs !== false) refuse("logprobs", "is not simulated");
  if (fields.echo === true) refuse("echo", "is not simulated");
  if (formatOf(fields) === "json_schema" && !hasText)
    refuse("response_format", "json_schema needs a text that suits it in freehold.simulate.json");
}

function formatOf({ response_format: format }: Record<string, unknown>): unknown {
  return isObject(format) ? format.type : undefined;
}

function readMessages({ messages }: Record<string, unknown>) {
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isObject))
    return refuse("messages", "takes a list of messages");
  const texts = messages.map(({ content }) => contentText(content));
  const last = messages.findLastIndex(({ role }) => role === "user");
  return { prompt: texts.at(last)!, promptTokens: sum(texts.map(countTokens)) };
}

/** The text of a message, or of its parts. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}

function readPrompt({ prompt }: Record<string, unknown>) {
  if (typeof prompt === "string") return { prompt, promptTokens: countTokens(prompt) };
  if (isTokens(prompt)) return { prompt: `${prompt.length} tokens`, promptTokens: prompt.length };
  if (Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] === "string")
    return { prompt: prompt[0], promptTokens: countTokens(prompt[0]) };
  return refuse("prompt", "takes a text or a list of tokens; several prompts are not simulated");
}

function readModel({ model }: Record<string, unknown>): string {
  if (typeof model !== "string" || model === "") return refuse("model", "takes a model's name");
  if (model.length > MAX_MODEL_CHARS)
    return refuse("model", `has more than ${MAX_MODEL_CHARS} characters`);
  return model;
}

function readStops(stop: unknown): string[] {
  if (stop == null) return [];
  const stops = Array.isArray(stop) ? stop : [stop];
  if (!stops.every((each) => typeof each === "string"))
    refuse("stop", "takes a text or a list of texts");
  if (stops.length > MAX_STOPS) refuse("stop", `has more than ${MAX_STOPS} texts`);
  return stops.filter((each) => each !== "");
}

function readCount(fields: Record<string, unknown>, name: string, max: number): number | null {
  const value = fields[name];
  if (value == null) return null;
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > max)
    return refuse(name, `takes a whole number from 1 to ${max}`);
  return Number(value);
}

function objectOf(body: unknown): Record<string, unknown> {
  if (!isObject(body)) throw new OpenaiError(400, null, "the body takes a JSON object");
  return body;
}

function isTokens(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isInteger);
}

function countTokens(value: unknown): number {
  if (typeof value !== "string") return Array.isArray(value) ? value.length : 0;
  let count = 0;
  for (const _ of value.matchAll(TOKENS)) count++;
  return count;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

export function refuse(param: string, sentence: string): never {
  throw new OpenaiError(400, param, `${param} ${sentence}`);
}
