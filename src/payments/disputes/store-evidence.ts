import type { FileType } from '#formats/file-type.ts';
import { isFileType } from '#formats/file-type.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { toAuthor, type AuthorView } from '#platform/http/audit-actor.ts';
import type { DisputeKey } from './dispute.ts';

/** A file with which a seller supports its side of a dispute, without its content. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly type: FileType;
  /** Bytes. */
  readonly size: number;
  readonly createdBy: AuthorView;
  readonly createdAt: Date;
}

export interface AttachmentContent {
  readonly encryptedKey: string;
  readonly content: Buffer;
}

/** A message by which a seller adds to its appeal. */
export interface DisputeMessage {
  readonly id: string;
  readonly text: string;
  readonly createdBy: AuthorView;
  readonly createdAt: Date;
}

export async function insertAttachment(
  trx: DatabaseTransaction,
  { sellerId, id: disputeId }: DisputeKey,
  { id, name, type, size, createdBy, createdAt, encryptedKey, content }: Attachment & AttachmentContent,
): Promise<void> {
  await trx
    .insertInto('dispute_attachments')
    .values({
      seller_id: sellerId,
      id,
      dispute_id: disputeId,
      name,
      type,
      size,
      content,
      encrypted_key: encryptedKey,
      created_by: JSON.stringify(createdBy),
      created_at: createdAt,
    })
    .execute();
}

const ATTACHMENT_COLUMNS = ['id', 'name', 'type', 'size', 'created_by', 'created_at'] as const;

/** The attachments of a dispute, oldest first. Their number is limited. */
export async function findAttachments(db: Db, { sellerId, id }: DisputeKey): Promise<readonly Attachment[]> {
  const rows = await db
    .selectFrom('dispute_attachments')
    .select(ATTACHMENT_COLUMNS)
    .where((eb) => eb.and({ seller_id: sellerId, dispute_id: id }))
    .orderBy('id')
    .execute();
  return rows.map(toAttachment);
}

export async function findAttachment(
  db: Db,
  { sellerId, id: disputeId }: DisputeKey,
  id: string,
): Promise<(Attachment & AttachmentContent) | undefined> {
  const row = await db
    .selectFrom('dispute_attachments')
    .select([...ATTACHMENT_COLUMNS, 'encrypted_key', 'content'])
    .where((eb) => eb.and({ seller_id: sellerId, id, dispute_id: disputeId }))
    .executeTakeFirst();
  return row && { ...toAttachment(row), encryptedKey: row.encrypted_key, content: row.content };
}

interface AttachmentRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly created_by: unknown;
  readonly created_at: Date;
}

const toAttachment = ({ id, name, type, size, ...row }: AttachmentRow): Attachment => ({
  id,
  name,
  size,
  type: isFileType(type) ? type : 'application/pdf',
  createdBy: toAuthor(row.created_by),
  createdAt: row.created_at,
});

export async function insertMessage(
  trx: DatabaseTransaction,
  { sellerId, id: disputeId }: DisputeKey,
  { id, text, createdBy, createdAt }: DisputeMessage,
): Promise<void> {
  await trx
    .insertInto('dispute_messages')
    .values({
      seller_id: sellerId,
      id,
      dispute_id: disputeId,
      text,
      created_by: JSON.stringify(createdBy),
      created_at: createdAt,
    })
    .execute();
}

/** The messages of a dispute, oldest first. Their number is limited. */
export async function findMessages(db: Db, { sellerId, id }: DisputeKey): Promise<readonly DisputeMessage[]> {
  const rows = await db
    .selectFrom('dispute_messages')
    .select(['id', 'text', 'created_by', 'created_at'])
    .where((eb) => eb.and({ seller_id: sellerId, dispute_id: id }))
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    createdAt: row.created_at,
    createdBy: toAuthor(row.created_by),
  }));
}
