// A statement is planned when it is prepared. SQLite plans it anew at each run if a parameter alone is a limit or a
// pattern, because its planner then looks at the value; that takes ten times as long as a short query. It does not look
// into an expression.

export const planOnce = (sql: string): string =>
  sql.replace(/\blimit \?/g, "limit ? + 0").replace(/\blike \?/g, "like ? || ''");
