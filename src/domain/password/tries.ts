// How often a password may be tried. Pure.

import { MINUTE_MS } from "../../base/units.ts";

/** Tries count from the first one on for this long. */
export const TRY_WINDOW_MS = 15 * MINUTE_MS;

/** A member's is small, since a password is guessed; a network may be a whole office. */
export const MAX_TRIES = { member: 10, network: 100 };
