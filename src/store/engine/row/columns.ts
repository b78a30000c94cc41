// Column maps: one table says which column holds each field of a domain object, and how. Reads and
// writes are derived from it, so a field without a column does not compile.

import { type Labels, noLabels } from "../../../domain/label/labels.ts";
import { change, type Tx, type Value } from "../statement.ts";

export type ColumnValues = Record<string, Value>;

export interface Column<Field> {
  /** The columns of the table that it reads. */
  names: readonly string[];
  read(row: ColumnValues): Field;
  write(field: Field): ColumnValues;
}

/** A column for each field. */
export type ColumnMap<Part, Fields extends keyof Part = keyof Part> = {
  [Field in Fields]-?: Column<Part[Field]>;
};

/** Part of a domain object; its own parts may be partial too. */
export type ColumnChanges<Whole> = {
  [Field in keyof Whole]?: Whole[Field] extends Value | readonly unknown[]
    ? Whole[Field]
    : Partial<Whole[Field]>;
};

export function plain<Field extends Value>(name: string): Column<Field> {
  return {
    names: [name],
    read: (row) => row[name] as Field,
    write: (field) => ({ [name]: field }),
  };
}

export function flag(name: string): Column<boolean> {
  return {
    names: [name],
    read: (row) => row[name] === 1,
    write: (field) => ({ [name]: Number(field) }),
  };
}

export function json<Field>(name: string): Column<Field> {
  return {
    names: [name],
    read: (row) => JSON.parse(row[name] as string) as Field,
    write: (field) => ({ [name]: JSON.stringify(field) }),
  };
}

/** Labels; the column is null without any. */
export const labelColumn: Column<Labels> = {
  names: ["labels"],
  read: ({ labels }) => labelsFrom(labels as string | null),
  write: (labels) => ({ labels: labelText(labels) }),
};

export function labelText(labels: Labels): string | null {
  return Object.keys(labels).length === 0 ? null : JSON.stringify(labels);
}

/**
 * A condition that holds for labels with one of a name and value, and its parameter. A quote inside a text is escaped, so few
 * other labels pass; compare them as well.
 */
export const mayHaveLabel = "replace(labels, cast(? as text), '') <> labels";
export const partOfLabels = (name: string, value: string) =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`;

export function labelsFrom(text: string | null): Labels {
  return text === null ? noLabels : (JSON.parse(text) as Labels);
}

/** Stored as "1,2". */
export function numberList(name: string): Column<number[]> {
  return {
    names: [name],
    read: (row) => numbers(row[name] as string),
    write: (list) => ({ [name]: list.join() }),
  };
}

/** An object whose fields have columns of their own. Fields that are left out are not written. */
export function columnsOf<Part extends object>(map: ColumnMap<Part>): Column<Part> {
  const columns = Object.entries(map) as [keyof Part, Column<unknown>][];
  return {
    names: columns.flatMap(([, { names }]) => names),
    read: (row) => {
      const part: Partial<Record<keyof Part, unknown>> = {};
      for (const [field, column] of columns) part[field] = column.read(row);
      return part as Part;
    },
    write: (part) => {
      const values: ColumnValues = {};
      for (const [field, column] of columns) {
        if (part[field] !== undefined) Object.assign(values, column.write(part[field]));
      }
      return values;
    },
  };
}

/** An object that is there as a whole or not at all: its `marker`, one of its columns, is null without it. */
export function optional<Part extends object>(
  column: Column<Part>,
  marker: string,
  absent: ColumnValues,
): Column<Part | null> {
  return {
    names: column.names,
    read: (row) => (row[marker] === null ? null : column.read(row)),
    write: (part) => (part === null ? absent : column.write(part)),
  };
}

export const numbers = (text: string): number[] => (text === "" ? [] : text.split(",").map(Number));

export function* insertRow(table: string, values: ColumnValues): Tx<void> {
  const names = Object.keys(values);
  const places = names.map(() => "?").join(", ");
  yield* change(
    `insert into ${table} (${names.join(", ")}) values (${places})`,
    ...Object.values(values),
  );
}

/** Returns the number of rows it changed; `where` has the placeholders of `params`. */
export function* updateRows(
  table: string,
  values: ColumnValues,
  where: string,
  ...params: Value[]
): Tx<number> {
  const assignments = Object.keys(values).map((name) => `${name} = ?`);
  return yield* change(
    `update ${table} set ${assignments.join(", ")} where ${where}`,
    ...Object.values(values),
    ...params,
  );
}
