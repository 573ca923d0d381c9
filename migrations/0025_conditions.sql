-- compatible: functions that older workers do not call

-- Values of properties as src/conditions reads them; test/integration/store/cohort-sql.test.ts and the
-- table of test/integration/conditions compare both.

-- Compact JSON text; null for what is nested deeper than 32 levels. A number of more digits than a double
-- has is as it was sent.
create or replace function flag_json(v jsonb, depth integer default 0) returns text
language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(v);
  text_of text;
  unreadable boolean;
begin
  if kind = 'number' then
    text_of := v::text;
    if length(trim(both '0' from translate(text_of, '-.', ''))) > 15 then return text_of; end if;
    return flag_number_text(flag_double(v::numeric));
  end if;
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

-- The form in which texts are compared without their case: src/conditions/fold.ts.
create function flag_folded(t text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(t) = length(t) then return lower(t collate "C"); end if;
  return replace(lower(t collate "und-x-icu"), 'ς', 'σ');
end
$$;

-- The time of a zone less UTC, in milliseconds: src/core/time/zone-changes.ts. A zone that this server
-- does not know is UTC.
create function flag_offset(ms float8, zone text) returns float8
language plpgsql immutable strict parallel safe as $$
declare
  second float8 := floor(least(greatest(ms, 172800000), 4102272000000) / 1000);
begin
  if zone = 'UTC' then return 0; end if;
  return (extract(epoch from to_timestamp(second) at time zone zone)::float8 - second) * 1000;
exception when invalid_parameter_value then
  return 0;
end
$$;

-- A moment in milliseconds since the epoch: src/conditions/dates.ts. Numbers and texts of digits are
-- seconds, milliseconds or microseconds by their size; a text without a zone is the time of `zone`.
create function flag_moment(v jsonb, zone text) returns float8
language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(v);
  value text;
  p text[];
  n float8;
  year integer;
  month integer;
  day integer;
  era_year integer;
  days integer;
  seconds integer;
  minutes integer := 0;
  wall float8;
  one float8;
  other float8;
begin
  if kind = 'string' then
    value := v #>> '{}';
    if length(value) > 64 then return null; end if;
  elsif kind <> 'number' then
    return null;
  end if;
  if kind = 'number' or value ~ '^-?[0-9]+([.][0-9]+)?$' then
    n := flag_double(coalesce(value, v::text)::numeric);
    n := case when abs(n) >= 1e14 then n / 1000 when abs(n) >= 1e11 then n else n * 1000 end;
    return case when abs(n) <= 8.64e15 then n end;
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
  -- Days since the epoch, of years that begin in March: their leap day is the last.
  era_year := year - case when month <= 2 then 1 else 0 end + 400;
  days := era_year * 365 + era_year / 4 - era_year / 100 + era_year / 400
    + (153 * (month + case when month > 2 then -3 else 9 end) + 2) / 5 + day - 1 - 146097 - 719468;
  seconds := (coalesce(p[4], '0')::integer * 60 + coalesce(p[5], '0')::integer) * 60
    + coalesce(p[6], '0')::integer;
  wall := days::float8 * 86400000 + seconds::float8 * 1000
    + ('0.' || coalesce(p[7], '0'))::float8 * 1000;
  if p[8] is not null then
    if upper(p[8]) = 'Z' then return wall; end if;
    minutes := coalesce(nullif(replace(substr(p[8], 4), ':', ''), ''), '0');
    if substr(p[8], 2, 2)::integer > 23 or minutes > 59 then return null; end if;
    return wall - (substr(p[8], 2, 2)::integer * 60 + minutes)
      * case left(p[8], 1) when '-' then -60000 else 60000 end;
  end if;
  if zone = 'UTC' then return wall; end if;
  -- The first instant at which a clock shows it, or as if clocks had not been moved yet.
  one := wall - flag_offset(wall - 86400000, zone);
  other := wall - flag_offset(wall + 86400000, zone);
  if one = other then return one; end if;
  n := least(one, other);
  return case when n + flag_offset(n, zone) = wall then n else greatest(one, other) end;
end
$$;

-- A version as a text in the order of versions: src/conditions/versions.ts.
create function flag_version(v jsonb) returns text
language plpgsql immutable strict parallel safe as $$
declare
  value text := btrim(flag_text(v), E' \t\n\r\f\u000b\u00a0\u1680\u2000\u2001\u2002\u2003\u2004'
    '\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff');
  p text[];
  parts text[];
  core text;
  pre text;
begin
  if value is null or length(value) > 256 then return null; end if;
  p := regexp_match(value, '^[vV]?([0-9]{1,15}(?:[.][0-9]{1,15}){0,2})(-[^+]*)?(?:[+].*)?$');
  if p is null then return null; end if;
  parts := string_to_array(p[1], '.');
  core := lpad(parts[1], 15, '0') || lpad(coalesce(parts[2], '0'), 15, '0')
    || lpad(coalesce(parts[3], '0'), 15, '0');
  if p[2] is null then return core || '~'; end if;
  pre := substr(p[2], 2);
  if pre !~ '^[0-9A-Za-z-]+([.][0-9A-Za-z-]+)*$' then return null; end if;
  return core || '-' || (
    select string_agg(case when i.id ~ '^[0-9]+$'
      then '1' || lpad(length(i.digits)::text, 3, '0') || i.digits || ' '
      else '2' || i.id || ' ' end, '' order by i.n)
    from (select id, n, regexp_replace(id, '^0+([0-9])', '\1') as digits
      from unnest(string_to_array(pre, '.')) with ordinality as a (id, n)) i);
end
$$;
