-- The commits of the models that the workers of a release get.

create table release_model (
  endpoint_id text collate binary not null,
  version integer not null,
  model text not null, -- owner/name
  revision text not null, -- a branch, a tag or a commit, as the endpoint names it
  commit_id text not null, -- 40 hexadecimal digits
  primary key (endpoint_id, version, model)
) strict;
