// The headers of every JSON response: no browser takes it for another type, and no cache keeps it.

export const JSON_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

export const JSON_TYPE = "application/json; charset=utf-8";
