// JSON on the command line: the text itself, @FILE, or - for the standard input.

import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import { withoutMark } from "../../base/json/parse.ts";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";

/** The text, checked but unchanged, so that no number loses a digit. */
export async function jsonArgument(name: string, argument: string): Promise<string> {
  const text = withoutMark(await textArgument(argument));
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${(error as Error).message}`);
  }
}

export const standardInput = (): Promise<string> => textOf(process.stdin);

/** The text of an argument that may have any form. */
export async function textArgument(argument: string): Promise<string> {
  if (argument === "-") return standardInput();
  if (!argument.startsWith("@")) return argument;
  const file = argument.slice(1);
  return readFile(file, "utf8").catch((error: Error) => {
    throw new Refusal(readFailure(file, error), exitCodes.notFound);
  });
}

/** Why a file that the command line names could not be read. */
export function readFailure(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return `there is no file ${file}`;
  if (error.code === "EISDIR") return `${file} is a folder, and a file is needed`;
  return `${file} cannot be read: ${error.message}`;
}
