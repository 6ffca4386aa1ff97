import { sql, type Selectable } from 'kysely';

import { isFileType } from '#formats/file-type.ts';
import type { EncryptedFile } from '#platform/crypto/file-encryption.ts';
import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { SellerApplications } from '#platform/database/types.gen.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { closedSellersBefore } from '#sellers/active.ts';
import {
  DOCUMENT_KINDS,
  type Application,
  type ApplicationDocument,
  type ApplicationMessage,
} from './application.ts';
import { APPLICATION_STATUSES, type ApplicationStatus } from './states.ts';

export async function insertApplication(trx: DatabaseTransaction, application: Application): Promise<void> {
  await trx.insertInto('seller_applications').values(toColumns(application)).execute();
}

export async function findApplication(db: Db, sellerId: string): Promise<Application | undefined> {
  const row = await db
    .selectFrom('seller_applications')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  return row && toApplication(row);
}

/** Locks the application until the end of the transaction. */
export async function lockApplication(
  trx: DatabaseTransaction,
  sellerId: string,
): Promise<Application | undefined> {
  const row = await trx
    .selectFrom('seller_applications')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && toApplication(row);
}

/** The changes of an application that are set. */
type ApplicationChanges = Partial<Omit<Application, 'sellerId' | 'createdAt' | 'updatedAt'>>;

/** Changes an application that has the status that was decided on. */
export async function updateApplication(
  trx: DatabaseTransaction,
  { sellerId, status }: Application,
  changes: ApplicationChanges,
  at: Date,
): Promise<Application> {
  const row = await trx
    .updateTable('seller_applications')
    .set({ ...toColumns(changes), updated_at: at })
    .where((eb) => eb.and({ seller_id: sellerId, status }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toApplication(row);
}

/** Newest first; one more than the page holds if there is a next page. */
export async function findApplications(
  db: Db,
  status: ApplicationStatus | undefined,
  page: Page,
): Promise<readonly Application[]> {
  const rows = await selectMatching(db, status)
    .selectAll()
    .$call(paginateNewestFirst(page, 'seller_id'))
    .execute();
  return rows.map(toApplication);
}

export const countApplications = (db: Db, status: ApplicationStatus | undefined): Promise<ListCount> =>
  countList(db, selectMatching(db, status), { isExact: false });

function selectMatching(db: Db, status: ApplicationStatus | undefined) {
  const query = db.selectFrom('seller_applications');
  return status === undefined ? query : query.where('status', '=', status);
}

/** The applications of a person, by the document of the seller or the email of its owner. */
export async function findApplicationsOf(
  db: Db,
  query: { readonly document: string } | { readonly email: string },
  limit: number,
): Promise<readonly Application[]> {
  const applications = db.selectFrom('seller_applications').selectAll().limit(limit);
  const rows = await (
    'document' in query
      ? applications.where('document', '=', query.document)
      : applications.where('owner_email', '=', query.email.toLowerCase())
  ).execute();
  return rows.map(toApplication);
}

const toApplication = (row: Selectable<SellerApplications>): Application => ({
  ...toFields(row),
  documentType: row.document_type === 'CPF' ? 'CPF' : 'CNPJ',
  status: APPLICATION_STATUSES.find((status) => status === row.status) ?? 'EXPIRED',
});

export async function insertDocument(
  trx: DatabaseTransaction,
  sellerId: string,
  { createdAt, encryptedKey, ...document }: ApplicationDocument & EncryptedFile,
): Promise<void> {
  await trx
    .insertInto('application_documents')
    .values({ ...document, seller_id: sellerId, encrypted_key: encryptedKey, created_at: createdAt })
    .execute();
}

const DOCUMENT_COLUMNS = ['id', 'kind', 'name', 'type', 'size', 'created_at'] as const;

/** The documents of an application, oldest first. Their number is limited. */
export async function findDocuments(db: Db, sellerId: string): Promise<readonly ApplicationDocument[]> {
  const rows = await db
    .selectFrom('application_documents')
    .select(DOCUMENT_COLUMNS)
    .where('seller_id', '=', sellerId)
    .orderBy('id')
    .execute();
  return rows.map(toDocument);
}

export async function findDocument(
  db: Db,
  sellerId: string,
  id: string,
): Promise<(ApplicationDocument & EncryptedFile) | undefined> {
  const row = await db
    .selectFrom('application_documents')
    .select([...DOCUMENT_COLUMNS, 'encrypted_key', 'content'])
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();
  return row && { ...toDocument(row), encryptedKey: row.encrypted_key, content: row.content };
}

/** Deletes a document. Returns false if there is none. */
export async function deleteDocument(
  trx: DatabaseTransaction,
  sellerId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('application_documents')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

interface DocumentRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly created_at: Date;
}

const toDocument = ({
  id,
  kind,
  name,
  type,
  size,
  created_at: createdAt,
}: DocumentRow): ApplicationDocument => ({
  id,
  name,
  size,
  createdAt,
  kind: DOCUMENT_KINDS.find((known) => known === kind) ?? 'OTHER',
  type: isFileType(type) ? type : 'application/pdf',
});

export async function insertMessage(
  trx: DatabaseTransaction,
  sellerId: string,
  { id, author, text, createdAt }: ApplicationMessage,
): Promise<void> {
  await trx
    .insertInto('application_messages')
    .values({ seller_id: sellerId, id, author, text, created_at: createdAt })
    .execute();
}

/** The messages of an application, oldest first. Their number is limited. */
export async function findMessages(db: Db, sellerId: string): Promise<readonly ApplicationMessage[]> {
  const rows = await db
    .selectFrom('application_messages')
    .select(['id', 'author', 'text', 'created_at'])
    .where('seller_id', '=', sellerId)
    .orderBy('id')
    .execute();
  return rows.map(({ author, created_at: createdAt, ...row }) => ({
    ...row,
    author: author === 'OPERATOR' ? 'OPERATOR' : 'APPLICANT',
    createdAt,
  }));
}

/** Deletes the documents and messages of an application. */
export async function deleteEvidence(trx: DatabaseTransaction, sellerId: string): Promise<void> {
  await trx.deleteFrom('application_documents').where('seller_id', '=', sellerId).execute();
  await trx.deleteFrom('application_messages').where('seller_id', '=', sellerId).execute();
}

export async function hasTransactions(trx: DatabaseTransaction, sellerId: string): Promise<boolean> {
  const transaction = await trx
    .selectFrom('transactions')
    .select('id')
    .where('seller_id', '=', sellerId)
    // Keeps the planner from scanning the table for one row.
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return transaction !== undefined;
}

/** The sellers whose applications were rejected or abandoned, and not changed since a time. */
export async function findAbandoned(db: Db, before: Date, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('seller_applications')
    .select('seller_id')
    .where('erased_at', 'is', null)
    .where(sql<boolean>`status IN ('DRAFT', 'QUESTION', 'REJECTED')`)
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(limit)
    .execute();
  return rows.map(({ seller_id: sellerId }) => sellerId);
}

/** The sellers that were approved, and closed before a time. */
export async function findClosed(db: Db, before: Date, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('seller_applications')
    .select('seller_id')
    .where('erased_at', 'is', null)
    .where('status', '=', 'APPROVED')
    .where('seller_id', 'in', closedSellersBefore(before))
    .limit(limit)
    .execute();
  return rows.map(({ seller_id: sellerId }) => sellerId);
}
