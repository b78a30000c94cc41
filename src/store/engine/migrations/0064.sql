-- The member that invites: its invitations end with its right to invite.

alter table invitation add column member_id text collate binary; -- null: a key of the account invites
