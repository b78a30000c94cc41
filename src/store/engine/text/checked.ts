// A column as a condition on a row that its key finds, hidden from PostgreSQL's search for an index. PostgreSQL keeps
// the plan that it made while the table was empty, and may have chosen an index of this column by then: it would read
// all jobs that a worker ever had, to find one by its id.

export const checked = (column: string) => `${column} /*+ || '' */`;
