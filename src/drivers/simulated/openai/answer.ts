// The answers of a simulated server of OpenAI's interface: the text depends on the request alone. Pure.

import { createHash } from "node:crypto";
import {
  OpenaiError,
  readEmbeddingsRequest,
  readTextRequest,
  refuse,
  type TextRequest,
  tokensOf,
} from "./request.ts";
import type { OpenaiSettings } from "./settings.ts";

export interface OpenaiRequest {
  /** Such as `/v1/chat/completions`. */
  route: string;
  /** The parsed body; null for a request without one. */
  body: unknown;
}

/** What identifies an answer. */
export interface AnswerName {
  id: string;
  createdAt: number;
}

export type OpenaiAnswer =
  /** `tokens` take their time before it. */
  | { kind: "object"; tokens: number; text: string }
  /** One event per token; those before the first token and after the last one are joined to it. */
  | { kind: "stream"; events: string[] }
  | { kind: "error"; status: number; message: string; text: string };

/** Every object says that it is simulated. */
const MARK = { system_fingerprint: "simulated", simulated: true };
/** The limit of a request: some 20 MB of JSON. */
const MAX_EMBEDDING_NUMBERS = 1_048_576;
/** The limit of all choices of an answer together: it is cut there, as at the end of a model's context. */
const MAX_ANSWER_TOKENS = 32_768;
const MAX_ANSWER_CHARS = 1_048_576;
const UNNAMED_MODEL = "simulated";

export function answerOpenai(
  settings: OpenaiSettings,
  { route, body }: OpenaiRequest,
  name: AnswerName,
): OpenaiAnswer {
  try {
    if (route === "/v1/chat/completions") return answerText(settings, body, true, name);
    if (route === "/v1/completions") return answerText(settings, body, false, name);
    if (route === "/v1/embeddings") return answerEmbeddings(settings, body);
    if (route === "/v1/models") return answerModels(settings, name);
    if (route.startsWith("/v1/models/")) return answerModel(settings, route, name);
    throw new OpenaiError(404, null, `the route ${route} is not simulated`);
  } catch (error) {
    if (error instanceof OpenaiError) return errorAnswer(error);
    throw error;
  }
}

function errorAnswer({ status, message, param }: OpenaiError): OpenaiAnswer {
  const type = status === 404 ? "NotFoundError" : "BadRequestError";
  const error = { message, type, param, code: status, simulated: true };
  return { kind: "error", status, message, text: JSON.stringify({ error }) };
}

function answerText(
  settings: OpenaiSettings,
  body: unknown,
  isChat: boolean,
  { id, createdAt }: AnswerName,
): OpenaiAnswer {
  const request = readTextRequest(body, isChat, settings.text !== null);
  requireModel(settings, request.model);
  const answer = answerTokens(settings, request);
  const completionTokens = answer.tokens.length * request.choices;
  const usage = usageOf(request.promptTokens, completionTokens);
  const base = {
    id: `${isChat ? "chatcmpl" : "cmpl"}-${id}`,
    created: Math.floor(createdAt / 1_000),
    model: request.model,
    ...MARK,
  };
  if (request.stream)
    return { kind: "stream", events: eventsOf(request, { base, isChat, ...answer, usage }) };
  const text = answer.tokens.join("");
  const choices = indices(request).map((index) => ({
    index,
    ...(isChat ? { message: { role: "assistant", content: text } } : { text }),
    logprobs: null,
    finish_reason: answer.finishReason,
  }));
  const object = isChat ? "chat.completion" : "text_completion";
  return objectAnswer({ ...base, object, choices, usage }, answer.tokens.length);
}

function answerTokens({ text }: OpenaiSettings, request: TextRequest) {
  const { prompt, wantsJson, stops, choices } = request;
  const maxTokens = Math.min(
    request.maxTokens ?? MAX_ANSWER_TOKENS,
    Math.floor(MAX_ANSWER_TOKENS / choices),
  );
  const sentence = `This answer is simulated. You wrote: ${prompt}`;
  const whole = text ?? (wantsJson ? JSON.stringify({ simulated: true, prompt }) : sentence);
  const ends = stops.map((stop) => whole.indexOf(stop)).filter((end) => end >= 0);
  const end = Math.min(whole.length, ...ends);
  const maxChars = Math.floor(MAX_ANSWER_CHARS / choices);
  const tokens = tokensOf(whole.slice(0, Math.min(end, maxChars)));
  const isCut = end > maxChars || tokens.length > maxTokens;
  return {
    tokens: tokens.slice(0, maxTokens),
    finishReason: isCut ? "length" : "stop",
  };
}

interface TextAnswer extends ReturnType<typeof answerTokens> {
  /** What all its events have. */
  base: object;
  isChat: boolean;
  usage: object;
}

/** Server-sent events, of which the first has the role and the last has the end. */
function eventsOf(
  request: TextRequest,
  { base, isChat, tokens, finishReason, usage }: TextAnswer,
): string[] {
  const object = isChat ? "chat.completion.chunk" : "text_completion";
  const eventOf = (fields: object) => `data: ${JSON.stringify({ ...base, object, ...fields })}\n\n`;
  const ofChoices = (delta: object, text: string, finish_reason: string | null) =>
    indices(request)
      .map((index) => ({
        index,
        ...(isChat ? { delta } : { text }),
        logprobs: null,
        finish_reason,
      }))
      .map((choice) => eventOf({ choices: [choice] }))
      .join("");
  const events = tokens.map((token) => ofChoices({ content: token }, token, null));
  const start = isChat ? ofChoices({ role: "assistant", content: "" }, "", null) : "";
  const end = [
    ofChoices({}, "", finishReason),
    request.includesUsage ? eventOf({ choices: [], usage }) : "",
    "data: [DONE]\n\n",
  ];
  const [first = "", ...others] = events;
  const joined = [start + first, ...others];
  joined.push(joined.pop()! + end.join(""));
  return joined;
}

function answerEmbeddings(settings: OpenaiSettings, body: unknown): OpenaiAnswer {
  const { model, inputs, promptTokens, isBase64, ...request } = readEmbeddingsRequest(body);
  requireModel(settings, model);
  const dimensions = request.dimensions ?? settings.dimensions;
  if (inputs.length * dimensions > MAX_EMBEDDING_NUMBERS)
    refuse("input", `makes more than ${MAX_EMBEDDING_NUMBERS} numbers of all embeddings together`);
  const data = inputs.map((input, index) => {
    const vector = embeddingOf(`${model}\n${input}`, dimensions);
    const embedding = isBase64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return objectAnswer({ object: "list", model, data, usage, simulated: true }, 0);
}

function answerModels(settings: OpenaiSettings, name: AnswerName): OpenaiAnswer {
  const models = settings.models.length > 0 ? settings.models : [UNNAMED_MODEL];
  const data = models.map((id) => modelOf(id, name));
  return objectAnswer({ object: "list", data, simulated: true }, 0);
}

function answerModel(settings: OpenaiSettings, route: string, name: AnswerName): OpenaiAnswer {
  const id = decoded(route.slice("/v1/models/".length));
  requireModel(settings, id);
  return objectAnswer(modelOf(id, name), 0);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function modelOf(id: string, { createdAt }: AnswerName) {
  const created = Math.floor(createdAt / 1_000);
  return { id, object: "model", created, owned_by: "simulated", simulated: true };
}

function requireModel({ models }: OpenaiSettings, model: string): void {
  if (models.length === 0 || models.includes(model)) return;
  throw new OpenaiError(404, "model", `The model \`${model}\` does not exist.`);
}

function objectAnswer(object: object, tokens: number): OpenaiAnswer {
  return { kind: "object", tokens, text: JSON.stringify(object) };
}

function usageOf(prompt_tokens: number, completion_tokens: number) {
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function indices({ choices }: TextRequest): number[] {
  return Array.from({ length: choices }, (_, index) => index);
}

/** A vector of length 1 that depends on a text alone. */
function embeddingOf(text: string, dimensions: number): Float32Array {
  const seed = createHash("sha256").update(text).digest();
  const bytes = new Uint32Array(dimensions);
  let state = seed.readUInt32LE() || 1;
  for (let at = 0; at < dimensions; at++) {
    // Marsaglia's xorshift, which never reaches 0.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state >>> 0;
  }
  const values = Float32Array.from(bytes, (each) => each / 2 ** 31 - 1);
  const norm = Math.hypot(...values) || 1;
  return values.map((value) => value / norm);
}
