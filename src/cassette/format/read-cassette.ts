// Reads a cassette. A recording that was killed leaves a last line without its end, which is left out.

import { readFileSync } from "node:fs";
import { Compile } from "typebox/compile";
import { parseExact } from "../../base/json/exact.ts";
import { Refusal } from "../../base/refusal.ts";
import { CASSETTE_VERSION, header, type RecordedCall, recordedCall } from "./cassette.ts";

export interface Cassette {
  calls: RecordedCall[];
  /** The number of the line that the recording could not finish; null if it ended as it should. */
  unfinishedLine: number | null;
}

/** Throws Refusal, which names the line. */
export function readCassette(file: string): Cassette {
  const lines = textOf(file).split("\n");
  // A finished line ends with a line feed, so the last piece is empty or unfinished.
  const unfinished = lines.pop() !== "" ? lines.length + 1 : null;
  const [first = "", ...rest] = lines;
  checkHeader(file, first);
  const calls = rest.map((line, at) => callOf(file, line, at + 2));
  return { calls, unfinishedLine: unfinished };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new Refusal(`there is no cassette ${file}; \`freehold record\` writes one`);
    throw new Refusal(`${file} cannot be read: ${message}`);
  }
}

function checkHeader(file: string, line: string): void {
  const value = parsed(line);
  if (!headers.Check(value))
    throw new Refusal(`${file} is no cassette: line 1 is not {"cassette":"freehold","version":1}`);
  if (value.version === CASSETTE_VERSION) return;
  const own = `this Freehold reads version ${CASSETTE_VERSION}`;
  throw new Refusal(
    `${file} is a cassette of version ${value.version}, and ${own}; record it again, or use the Freehold that wrote it`,
  );
}

function callOf(file: string, line: string, number: number): RecordedCall {
  const value = parsed(line);
  if (calls.Check(value)) return value;
  const [error] = value === undefined ? [] : calls.Errors(value);
  const detail = error ? `${error.instancePath || "it"} ${error.message}` : "it is no JSON";
  throw new Refusal(
    `${file} is damaged at line ${number}: ${detail}; restore the line, or delete it`,
  );
}

const headers = Compile(header);
const calls = Compile(recordedCall);

function parsed(line: string): unknown {
  try {
    return parseExact(line);
  } catch {
    return undefined;
  }
}
