// Flash apps and their environments, such as "dev" and "production" of one app. Pure.

import { Fault } from "../fault.ts";

export interface FlashApp {
  id: string;
  accountId: string;
  name: string;
  createdAt: number;
}

export interface FlashEnvironment {
  id: string;
  appId: string;
  name: string;
  createdAt: number;
  /** The build that its endpoints run; null before the first deployment. */
  activeBuildId: string | null;
}

/** The name of a resource in its code. The Flash client adds "live-" and "-fb" to the names of endpoints. */
export const resourceNameOf = (endpointName: string) =>
  endpointName.replace(/^live-/, "").replace(/ ?-fb$/, "");

const MAX_NAME_LENGTH = 191;

/** A fault that says what is wrong with the name of an app or environment, or null. */
export function nameFault(name: string): Fault | null {
  const isValid =
    name === name.trim() && name !== "" && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name);
  if (isValid) return null;
  const detail = `"name" must have 1 to ${MAX_NAME_LENGTH} characters, without spaces around it and without control characters.`;
  return new Fault("invalid_body", { detail });
}
