-- The S3 interface to network volumes: its keys, what S3 knows about files that it wrote, and uploads in parts.

create table s3_key (
  id text collate binary primary key, -- the access key id
  account_id text collate binary not null references account (id),
  member_id text collate binary references member (id), -- null: a key of the account itself
  name text not null,
  secret text not null, -- sealed
  access text not null, -- read or write
  volume_ids text, -- a JSON array; null for all volumes of the account
  created_at integer not null,
  last_used_at integer,
  revoked_at integer
) strict;
create index s3_key_account on s3_key (account_id);

-- A row is valid while size, mtime_ns and inode are those of the file.
create table s3_object (
  volume_id text collate binary not null,
  key text collate binary not null,
  etag text not null, -- empty for a folder that was created for a key within it
  size integer not null,
  mtime_ns text not null,
  inode text not null,
  headers text not null, -- JSON
  checksum text, -- JSON
  primary key (volume_id, key)
) strict;

create table s3_upload (
  id text collate binary primary key,
  volume_id text collate binary not null,
  key text collate binary not null,
  headers text not null, -- JSON
  algorithm text, -- of the parts' checksums
  checksum_type text,
  key_id text collate binary not null,
  created_at integer not null
) strict;
create index s3_upload_volume on s3_upload (volume_id, key);

create table s3_part (
  upload_id text collate binary not null references s3_upload (id),
  number integer not null,
  staged text not null, -- the name of its file in the staging area
  etag text not null,
  size integer not null,
  checksum text,
  uploaded_at integer not null,
  primary key (upload_id, number)
) strict;
