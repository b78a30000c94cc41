-- Projects: members of an account that share limits.

create table project (
  id text collate binary primary key,
  account_id text collate binary not null references account (id),
  name text not null,
  created_at integer not null,
  unique (account_id, name)
) strict;

-- A member is in one project at the most.
create table project_member (
  member_id text collate binary primary key references member (id),
  project_id text collate binary not null references project (id)
) strict;

create index project_member_of_project on project_member (project_id);

-- A quota may be of a project too.
alter table quota rename column member_id to holder_id;
