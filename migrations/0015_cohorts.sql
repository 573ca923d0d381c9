-- compatible: columns with defaults, a table that older workers do not write, and functions

alter table cohorts add column description text not null default '';
alter table cohorts add column created_by integer references users (id) on delete set null;
alter table cohorts add column updated_at timestamptz not null default now();

-- Values of properties as conditions of flags and cohorts read them: src/flags/property-value.ts and
-- src/flags/dates.ts are the same in another language. test/integration/store/cohort-sql.test.ts
-- compares both.

-- A number as JavaScript writes it.
create function flag_number_text(n float8) returns text
language sql immutable strict parallel safe as $$
  select case
    when n = 0 then '0'
    when abs(n) = 'Infinity' then n::text
    when abs(n) >= 1e-6 and abs(n) < 1e21 then n::text::numeric::text
    else regexp_replace(n::text, 'e([-+])0', 'e\1') end
$$;

-- The double next to a number; what is too large for one is infinite.
create function flag_double(n numeric) returns float8
language sql immutable strict parallel safe as $$
  select case
    when n = 'NaN' then null
    when abs(n) > 1.7976931348623157e308 then sign(n)::float8 * 'Infinity'::float8
    when abs(n) < 3e-324 then 0
    else n::float8 end
$$;

-- Compact JSON text; null for what is nested deeper than 32 levels.
create function flag_json(v jsonb, depth integer default 0) returns text
language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(v);
  text_of text;
  unreadable boolean;
begin
  if kind = 'number' then return flag_number_text(flag_double(v::numeric)); end if;
  if kind not in ('array', 'object') then return v::text; end if;
  if depth >= 32 then return null; end if;
  if kind = 'array' then
    select '[' || coalesce(string_agg(i.text, ',' order by i.n), '') || ']',
      bool_or(i.text is null) into text_of, unreadable
    from (select n, flag_json(item, depth + 1) as text
      from jsonb_array_elements(v) with ordinality as a (item, n)) i;
  else
    -- Keys that are places of a list come first.
    select '{' || coalesce(string_agg(
        to_json(i.key)::text || ':' || i.text, ',' order by i.is_place desc, i.n), '') || '}',
      bool_or(i.text is null) into text_of, unreadable
    from (select key, n, key ~ '^(0|[1-9][0-9]{0,8})$' as is_place,
        flag_json(item, depth + 1) as text
      from jsonb_each(v) with ordinality as a (key, item, n)) i;
  end if;
  return case when unreadable then null else text_of end;
end
$$;

-- The text of a value: of texts themselves, of others JSON; null for long lists and objects.
create function flag_text(v jsonb) returns text
language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(v);
begin
  if kind = 'string' then return v #>> '{}'; end if;
  if kind in ('array', 'object') then
    if pg_column_size(v) > 65536 or length(v::text) > 32768 then return null; end if;
  end if;
  return flag_json(v);
end
$$;

-- A number, or a text that is wholly one.
create function flag_number(v jsonb) returns float8
language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(v);
  value text;
  parts text[];
begin
  if kind = 'number' then
    return nullif(nullif(flag_double(v::numeric), 'Infinity'), '-Infinity');
  end if;
  if kind <> 'string' then return null; end if;
  value := v #>> '{}';
  if length(value) > 400 then return null; end if;
  parts := regexp_match(value,
    '^([-+]?)([0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE]([-+]?)0*([0-9]*))?$');
  if parts is null or value ~ '[eE][-+]?$' then return null; end if;
  if length(parts[4]) > 4 then
    if parts[2] !~ '[1-9]' or parts[3] = '-' then return 0; end if;
    return case parts[1] when '-' then '-Infinity'::float8 else 'Infinity'::float8 end;
  end if;
  return flag_double(value::numeric);
end
$$;

-- A moment in milliseconds since the epoch: numbers are seconds, texts are dates or seconds.
create function flag_instant(v jsonb) returns float8
language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(v);
  value text;
  p text[];
  ms float8;
  year integer;
  month integer;
  day integer;
  era_year integer;
  days integer;
  seconds integer;
  minutes integer := 0;
begin
  if kind = 'string' then
    value := v #>> '{}';
    if length(value) > 64 then return null; end if;
  elsif kind <> 'number' then
    return null;
  end if;
  if kind = 'number' or value ~ '^-?[0-9]+([.][0-9]+)?$' then
    ms := flag_double(coalesce(value, v::text)::numeric) * 1000;
    return case when abs(ms) <= 8.64e15 then ms end;
  end if;
  p := regexp_match(value, '^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})'
    '(?::([0-9]{2})(?:[.]([0-9]{1,9}))?)?(?: ?([Zz]|[-+][0-9]{2}(?::?[0-9]{2})?))?)?$');
  if p is null then return null; end if;
  year := p[1]; month := p[2]; day := p[3];
  if month not between 1 and 12 or day < 1 or day > (case month
    when 2 then case when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29 else 28 end
    when 4 then 30 when 6 then 30 when 9 then 30 when 11 then 30 else 31 end)
  then return null; end if;
  if coalesce(p[4], '0')::integer > 23 or coalesce(p[5], '0')::integer > 59
    or coalesce(p[6], '0')::integer > 59 then return null; end if;
  if p[8] is not null and upper(p[8]) <> 'Z' then
    minutes := coalesce(nullif(replace(substr(p[8], 4), ':', ''), ''), '0');
    if substr(p[8], 2, 2)::integer > 23 or minutes > 59 then return null; end if;
    minutes := (substr(p[8], 2, 2)::integer * 60 + minutes)
      * case left(p[8], 1) when '-' then -1 else 1 end;
  end if;
  -- Days since the epoch, of years that begin in March: their leap day is the last.
  era_year := year - case when month <= 2 then 1 else 0 end + 400;
  days := era_year * 365 + era_year / 4 - era_year / 100 + era_year / 400
    + (153 * (month + case when month > 2 then -3 else 9 end) + 2) / 5 + day - 1 - 146097 - 719468;
  seconds := (coalesce(p[4], '0')::integer * 60 + coalesce(p[5], '0')::integer) * 60
    + coalesce(p[6], '0')::integer;
  return days::float8 * 86400000 + seconds::float8 * 1000
    + ('0.' || coalesce(p[7], '0'))::float8 * 1000 - minutes::float8 * 60000;
end
$$;
