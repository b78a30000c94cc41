// How a flow refuses: a transaction returns its refusal as a fault, and the flow throws it.

import { Fault } from "../domain/fault.ts";

export async function throwRefusal<Result>(
  transaction: Promise<Result>,
): Promise<Exclude<Result, Fault>> {
  const result = await transaction;
  if (result instanceof Fault) throw result;
  return result as Exclude<Result, Fault>;
}
