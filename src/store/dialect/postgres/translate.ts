// From the vocabulary that both databases understand to PostgreSQL's own: numbered placeholders, and
// the hints about locks that stand in comments because SQLite, which has one writer, needs none.

export interface Translated {
  text: string;
  /** Under which it is prepared on every connection. */
  name: string;
}

const known = new Map<string, Translated>();

/** The same text always gives the same object. */
export function translate(sql: string): Translated {
  let found = known.get(sql);
  if (!found) {
    found = { text: rewrite(sql), name: `s${known.size}` };
    known.set(sql, found);
  }
  return found;
}

/** A quoted text, a hint, a placeholder. */
const TOKENS = /'[^']*'|\/\*\+(.*?)\*\/|\?/gs;

function rewrite(sql: string): string {
  let placeholders = 0;
  return sql.replace(TOKENS, (token, hint: string | undefined) => {
    if (hint !== undefined) return hint.trim();
    if (token !== "?") return token;
    placeholders++;
    return `$${placeholders}`;
  });
}
