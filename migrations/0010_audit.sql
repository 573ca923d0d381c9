-- compatible: indexes; an older worker does not see them

-- Versions of flags with secret payloads, which are sealed anew when the key changes.
create index audit_log_secret_flags on audit_log (item_id)
  where scope = 'FeatureFlag' and (snapshot ->> 'has_encrypted_payloads') = 'true';

-- What concerns the instance and none of its organizations.
create index audit_log_instance on audit_log (created_at desc, id desc)
  where organization_id is null and project_id is null;
