import type { Db } from '../../postgres/db.ts'

export type NewAttachment = {
  readonly id: string
  readonly key: string
  readonly fileName: string
  readonly contentType: string
  /** Sealed, for a secret. */
  readonly contents: Uint8Array
  readonly isSealed: boolean
}

/** Puts each in the place of the one of its key. No key may be there twice. */
export async function saveAttachments(
  db: Db,
  config: number,
  attachments: readonly NewAttachment[],
): Promise<void> {
  const rows = attachments.map(({ contents, ...attachment }) => ({
    ...attachment,
    contents: Buffer.from(contents).toString('base64'),
  }))
  await db`
    insert into plugin_attachments (
      plugin_config_id, key, id, file_name, content_type, contents, is_sealed
    )
    select ${config}, key, id, "fileName", "contentType", decode(contents, 'base64'), "isSealed"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as a (
      key text, id uuid, "fileName" text, "contentType" text, contents text, "isSealed" boolean
    )
    on conflict (plugin_config_id, key) do update set
      id = excluded.id, file_name = excluded.file_name, content_type = excluded.content_type,
      contents = excluded.contents, is_sealed = excluded.is_sealed, created_at = now()`
}

export async function deleteAttachments(
  db: Db,
  config: number,
  keys: readonly string[],
): Promise<void> {
  await db`
    delete from plugin_attachments
    where plugin_config_id = ${config} and key = any(${[...keys]}::text[])`
}
