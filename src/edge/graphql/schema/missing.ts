// A query for something that does not exist answers null instead of a refusal.

import { Fault } from "../../../domain/fault.ts";

export function isFault(error: unknown, code: Fault["code"]): boolean {
  return error instanceof Fault && error.code === code;
}

export async function nullIfMissing<Found>(
  code: Fault["code"],
  read: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (isFault(error, code)) return null;
    throw error;
  }
}
