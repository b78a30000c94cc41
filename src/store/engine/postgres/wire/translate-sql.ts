// Translation of a statement from the SQL that both databases understand to PostgreSQL's: numbered placeholders,
// and hints about locks. SQLite has one writer and needs no locks, so the hints are comments to it.

export interface TranslatedStatement {
  text: string;
  /** The name under which every connection prepares it. */
  name: string;
}

const translated = new Map<string, TranslatedStatement>();

/** Returns the same object for the same text. */
export function translateSql(sql: string): TranslatedStatement {
  let found = translated.get(sql);
  if (!found) {
    found = { text: rewrite(sql), name: `s${translated.size}` };
    translated.set(sql, found);
  }
  return found;
}

/** A string literal, a hint, a placeholder. */
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
