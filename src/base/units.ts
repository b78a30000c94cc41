// Units of time and of memory. Clients' words for memory are decimal, and its sizes are powers of two.

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const MIB = 1_048_576;
export const GIB = 1_024 * MIB;

/** Memory is stored in MB and sold in GB. */
export const MB_PER_GB = 1_024;
