// The columns of a select, by name: a column that an operator or a later version adds to the table changes nothing about
// what the statement returns.

type Lacks<Row, Names extends string> = Exclude<keyof Row & string, Names>;

/** For `select ... from`. A column of the row that is left out, or is not one, does not compile. */
export const columnList =
  <Row>() =>
  <Names extends keyof Row & string>(
    ...names: [...(Lacks<Row, Names> extends never ? Names[] : never[])]
  ): string =>
    names.join(", ");

/** The columns of a list as those of a table in a join. */
export const qualified = (table: string, columns: string): string =>
  columns.replace(/\w+/g, `${table}.$&`);
