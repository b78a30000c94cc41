// The table `template`.

import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { type ListSelection, selectionSql } from "../engine/row/selection.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

const OWNED = withOwner("template");

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  name: string;
  labels: string | null;
  spec: string;
  created_at: number;
  bound_to: string | null;
}

export function* insertTemplate(template: Template): Tx<"done" | "name_taken"> {
  if (yield* nameTaken(template)) return "name_taken";
  yield* change(
    `insert into template (id, account_id, name, labels, spec, is_public, created_at, bound_to, owner_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    template.id,
    template.accountId,
    template.name,
    labelText(template.labels),
    JSON.stringify(template.spec),
    Number(template.spec.isPublic),
    template.createdAt,
    template.boundTo ?? null,
    template.owner?.id ?? null,
  );
  yield* notify(topic.changed(template.accountId, "template", template.id));
  return "done";
}

export function* findTemplate(id: string): Tx<Template | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from template where id = ?`, id);
  return found && fromRow(found);
}

/** Reads a template and locks it until the transaction commits. */
export function* lockTemplate(id: string): Tx<Template | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from template where id = ? /*+ for update */`, id);
  return found && fromRow(found);
}

/**
 * Takes a shared lock: transactions that only refer to the template do not wait for each
 * other.
 */
export function* lockTemplateShared(id: string): Tx<Template | undefined> {
  const found = yield* row<Row>(`select ${OWNED} from template where id = ? /*+ for share */`, id);
  return found && fromRow(found);
}

export interface TemplateFilter {
  accountId: string;
  /** True to include templates that an endpoint uses. */
  bound: boolean;
  /** True to include other accounts' public templates. */
  public: boolean;
}

export function* listTemplates(filter: TemplateFilter): Tx<Template[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from template where (account_id = ? or (is_public = 1 and ? = 1))
       and (? = 1 or id not in (select template_id from endpoint where deleted_at is null))
     order by created_at, id`,
    filter.accountId,
    Number(filter.public),
    Number(filter.bound),
  );
  return found.map(fromRow);
}

/** An account's own templates that no endpoint uses, newest first, after a position. */
export function* templatesAfter(accountId: string, selection: ListSelection): Tx<Template[]> {
  const [selected, params] = selectionSql(selection);
  const found = yield* rows<Row>(
    `select ${OWNED} from template where account_id = ?
       and id not in (select template_id from endpoint where deleted_at is null) ${selected}`,
    accountId,
    ...params,
  );
  return found.map(fromRow);
}

/** Public templates of all accounts that no endpoint has for itself, newest first. */
export function* publicTemplates(limit: number): Tx<Template[]> {
  const found = yield* rows<Row>(
    `select ${OWNED} from template where is_public = 1 and bound_to is null
     order by created_at desc, id desc limit ?`,
    limit,
  );
  return found.map(fromRow);
}

export function* updateTemplate(template: Template): Tx<"done" | "name_taken"> {
  if (yield* nameTaken(template)) return "name_taken";
  yield* change(
    "update template set name = ?, labels = ?, spec = ?, is_public = ? where id = ?",
    template.name,
    labelText(template.labels),
    JSON.stringify(template.spec),
    Number(template.spec.isPublic),
    template.id,
  );
  yield* notify(topic.fleet);
  yield* notify(topic.changed(template.accountId, "template", template.id));
  return "done";
}

/** The template must be locked, and nothing may use it. */
export function* deleteTemplate({ id, accountId }: Template): Tx<void> {
  yield* change("delete from template where id = ?", id);
  yield* notify(topic.changed(accountId, "template", id));
}

function* nameTaken(template: Template): Tx<boolean> {
  const other = yield* row(
    "select 1 from template where account_id = ? and name = ? and id <> ?",
    template.accountId,
    template.name,
    template.id,
  );
  return other !== undefined;
}

function fromRow(found: Row): Template {
  return {
    id: found.id,
    accountId: found.account_id,
    name: found.name,
    labels: labelsFrom(found.labels),
    createdAt: found.created_at,
    ...ownerFrom(found),
    spec: JSON.parse(found.spec) as TemplateSpec,
    ...(found.bound_to !== null && { boundTo: found.bound_to }),
  };
}
