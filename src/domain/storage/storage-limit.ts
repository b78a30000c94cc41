// The limit on what an account stores.

import { Fault } from "../fault.ts";

/** To be checked in the transaction that stores more. */
export interface StorageLimit {
  accountId: string;
  bytes: number;
}

/** The refusal of `added` bytes; null if they fit. */
export function refuseStorage(
  storedBytes: number,
  addedBytes: number,
  limitBytes: number,
): Fault | null {
  if (storedBytes + addedBytes <= limitBytes) return null;
  return new Fault("storage_full", {
    stored: sizeText(storedBytes),
    limit: sizeText(limitBytes),
    added: sizeText(addedBytes),
  });
}

const UNITS = [
  { unit: "GB", bytes: 1e9 },
  { unit: "MB", bytes: 1e6 },
  { unit: "kB", bytes: 1e3 },
];

function sizeText(size: number): string {
  const { unit, bytes } = UNITS.find((each) => size >= each.bytes) ?? { unit: "bytes", bytes: 1 };
  return `${(size / bytes).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
