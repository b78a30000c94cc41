// The search over headings and text. The index is built in the browser, from one file of the service.

import MiniSearch from "minisearch";

interface Section {
  /** The section's address. */
  id: string;
  title: string;
  heading: string;
  text: string;
}

export interface SearchHit {
  address: string;
  name: string;
  excerpt: string;
}

const MAX_HITS = 12;
const EXCERPT_LENGTH = 140;

let loading: Promise<MiniSearch<Section>> | null = null;

/** A failed download is tried again with the next call. */
export function loadIndex(): Promise<MiniSearch<Section>> {
  loading ??= buildIndex().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function buildIndex(): Promise<MiniSearch<Section>> {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  const index = new MiniSearch<Section>({
    fields: ["heading", "title", "text"],
    storeFields: ["title", "heading", "text"],
    searchOptions: {
      boost: { heading: 4, title: 3 },
      combineWith: "AND",
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.15 : false),
    },
  });
  index.addAll((await response.json()) as Section[]);
  return index;
}

export async function search(query: string): Promise<SearchHit[]> {
  const index = await loadIndex();
  return index
    .search(query)
    .slice(0, MAX_HITS)
    .map(({ id, title, heading, text, terms }) => ({
      address: id,
      name: heading ? `${title}: ${heading}` : title,
      excerpt: excerpt(text, terms),
    }));
}

/** The text around the first word that matches. */
function excerpt(text: string, terms: string[]): string {
  const lower = text.toLowerCase();
  const positions = terms.map((term) => lower.indexOf(term)).filter((position) => position >= 0);
  const start = Math.max(0, Math.min(text.length, ...positions) - 30);
  const words = text.slice(start < text.length ? start : 0);
  return words.slice(0, EXCERPT_LENGTH);
}
