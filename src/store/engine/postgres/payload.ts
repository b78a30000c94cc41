// The payloads of notifications between replicas: JSON lists of topics, each with the number of listeners to
// notify, or null for all of them.

type CountedTopic = [topic: string, count: number | null];

/** PostgreSQL limits a payload to less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;

/** Lists of topics, each short enough for one notification. */
export function payloadsOf(topics: Map<string, number | null>): string[] {
  const payloads: string[] = [];
  let items: string[] = [];
  let bytes = 2;
  for (const each of topics) {
    const item = JSON.stringify(each);
    const itemBytes = Buffer.byteLength(item) + 1;
    if (bytes + itemBytes > MAX_PAYLOAD_BYTES) {
      payloads.push(`[${items.join()}]`);
      items = [];
      bytes = 2;
    }
    items.push(item);
    bytes += itemBytes;
  }
  payloads.push(`[${items.join()}]`);
  return payloads;
}

/** Null for a payload that no replica of this version sent. */
export function readPayload(payload: string): CountedTopic[] | null {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return null;
  }
  return Array.isArray(value) && value.every(isCountedTopic) ? value : null;
}

function isCountedTopic(value: unknown): value is CountedTopic {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [topic, count] = value;
  return typeof topic === "string" && (count === null || Number.isSafeInteger(count));
}
