// Templates in the store.

import type { Template, TemplateSpec } from "../../domain/template/template.ts";
import { change, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

interface Row {
  id: string;
  account_id: string;
  name: string;
  spec: string;
  created_at: number;
}

export function* insertTemplate(template: Template): Verb<"done" | "name_taken"> {
  if (yield* nameTaken(template)) return "name_taken";
  yield* change(
    `insert into template (id, account_id, name, spec, is_public, created_at)
     values (?, ?, ?, ?, ?, ?)`,
    template.id,
    template.accountId,
    template.name,
    JSON.stringify(template.spec),
    Number(template.spec.isPublic),
    template.createdAt,
  );
  yield* ring(topic.changed(template.accountId, "template", template.id));
  return "done";
}

export function* findTemplate(id: string): Verb<Template | undefined> {
  const found = yield* row<Row>("select * from template where id = ?", id);
  return found && fromRow(found);
}

/** The same, and nobody else changes or deletes it before the surrounding turn is committed. */
export function* lockTemplate(id: string): Verb<Template | undefined> {
  const found = yield* row<Row>("select * from template where id = ? /*+ for update */", id);
  return found && fromRow(found);
}

/** The same for those who build on it and leave it as it is: they do not wait for each other. */
export function* holdTemplate(id: string): Verb<Template | undefined> {
  const found = yield* row<Row>("select * from template where id = ? /*+ for share */", id);
  return found && fromRow(found);
}

export interface TemplateFilter {
  accountId: string;
  /** Also those that an endpoint uses. */
  bound: boolean;
  /** Also those that other accounts made public. */
  public: boolean;
}

export function* listTemplates(filter: TemplateFilter): Verb<Template[]> {
  const found = yield* rows<Row>(
    `select * from template where (account_id = ? or (is_public = 1 and ? = 1))
       and (? = 1 or id not in (select template_id from endpoint where deleted_at is null))
     order by created_at, id`,
    filter.accountId,
    Number(filter.public),
    Number(filter.bound),
  );
  return found.map(fromRow);
}

export function* updateTemplate(template: Template): Verb<"done" | "name_taken"> {
  if (yield* nameTaken(template)) return "name_taken";
  yield* change(
    "update template set name = ?, spec = ?, is_public = ? where id = ?",
    template.name,
    JSON.stringify(template.spec),
    Number(template.spec.isPublic),
    template.id,
  );
  yield* ring(topic.fleet);
  yield* ring(topic.changed(template.accountId, "template", template.id));
  return "done";
}

/** It must be locked, and nothing may use it. */
export function* deleteTemplate({ id, accountId }: Template): Verb<void> {
  yield* change("delete from template where id = ?", id);
  yield* ring(topic.changed(accountId, "template", id));
}

function* nameTaken(template: Template): Verb<boolean> {
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
    createdAt: found.created_at,
    spec: JSON.parse(found.spec) as TemplateSpec,
  };
}
