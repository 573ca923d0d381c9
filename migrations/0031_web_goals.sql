-- compatible: a column with a default, which older workers leave as it is

-- Goals that questions about a site count: a list of `{name, event, properties}`.
alter table projects add column web_goals json not null default '[]';
