-- compatible: new columns that may be null, and a new table; an older worker does not see them

-- An invite is accepted by a token, of which the row has the digest: one token goes by mail and
-- proves the mailbox, the other is shown to whoever makes the invite. Invites of older releases have
-- neither: only users with a confirmed address accept those, by their id.
alter table invites add column token_sha256 bytea unique;
alter table invites add column mail_token_sha256 bytea unique;

-- The id of an invite was its secret, and every reader of the activity could see it. A digest tells
-- the entries of one invite from those of another.
update audit_log a
set item_id = 'masked-' || left(encode(sha256(convert_to(a.item_id, 'UTF8')), 'hex'), 32),
  changes = coalesce((
    select json_agg(
      case when c.item ->> 'field' <> 'id' then c.item
      else json_build_object(
        'field', 'id', 'action', c.item -> 'action',
        'before', case when c.item ->> 'before' is not null then '********' end,
        'after', case when c.item ->> 'after' is not null then '********' end
      ) end order by c.place
    )
    from json_array_elements(a.changes) with ordinality as c (item, place)
  ), '[]')
where a.scope = 'Invite';

-- Confirmed while it is the user's address: a release that knows nothing of it may change that one.
alter table users add column confirmed_email text;
-- The address that the user has asked for. Its token went there by mail; none did without mail.
alter table users add column pending_email text;
alter table users add column pending_email_sha256 bytea unique;
alter table users add column pending_email_at timestamptz;

alter table personal_api_keys add column expires_at timestamptz;

alter table memberships add column updated_at timestamptz;

-- What may be done a number of times a day, in UTC.
create table daily_counts (
  name text primary key,
  day date not null,
  used integer not null
);
