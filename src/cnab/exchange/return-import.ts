import { createHash } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { findRegistrations } from '#payments/boletos/registrations.ts';
import { runAll } from '#platform/jobs/provider-calls.ts';
import { applyReturnLine, type ApplyDeps } from './return-application.ts';
import type { NewReturnLine, ReturnCount, ReturnFile, ReturnLine } from './return-file.ts';
import { parseReturnFile, type ParsedReturn } from './return-parser.ts';
import type { CnabSettings } from './settings.ts';
import { findPayments } from './store-payments.ts';
import {
  completeReturns,
  countLines,
  findLines,
  findOpenLines,
  findReturnFile,
  findReturnFileByHash,
  insertReturn,
  insertReturnLines,
} from './store-returns.ts';

/** Lines in one insert statement. */
const INSERT_BATCH_SIZE = 1_000;
/** Lines applied concurrently, as many as group commit combines well. */
const CONCURRENT_LINES = 40;
/** Problems returned with a file. The list of its lines returns all of them. */
const MAX_PROBLEMS_SHOWN = 500;

export interface ReturnImportDeps extends ApplyDeps {
  /** Undefined if no service exchanges files. */
  readonly settings: CnabSettings | undefined;
}

/** A return file and the outcomes of its lines. */
export interface ImportedReturn {
  readonly file: ReturnFile;
  readonly counts: readonly ReturnCount[];
  /** Lines that the operator should review, in file order; at most 500. */
  readonly problems: readonly ReturnLine[];
  /** Number of such lines, shown or not. */
  readonly problemCount: number;
}

export type ImportResult =
  /** `repeated` if the same bytes were imported before. */
  | { readonly kind: 'imported' | 'repeated'; readonly imported: ImportedReturn }
  /** Nothing of the file was imported. */
  | { readonly kind: 'rejected'; readonly problems: readonly string[] }
  | { readonly kind: 'not-configured' };

/**
 * Imports a return file, whole or not at all. Commits the file with all its lines first, then
 * applies and marks each line, so that a crash leaves open lines: the next import applies them
 * first. Importing the same bytes again returns their outcomes.
 */
export async function importReturn(
  deps: ReturnImportDeps,
  bytes: Buffer,
  author: AuditActor,
): Promise<ImportResult> {
  const { db, settings } = deps;
  if (settings === undefined) return { kind: 'not-configured' };
  const sha256 = createHash('sha256').update(bytes).digest();
  let kind: 'imported' | 'repeated' = 'repeated';
  if ((await findReturnFileByHash(db, sha256)) === undefined) {
    const parsed = parseReturnFile(bytes, settings);
    if (!parsed.ok) return { kind: 'rejected', problems: parsed.problems };
    if (await saveReturnFile(deps, parsed, { sha256, bytes: bytes.length }, author)) kind = 'imported';
    failPoint('cnab-returns.saved');
  }
  await applyOpenLines(deps, settings.agreement.bankCode);
  const file = await findReturnFileByHash(db, sha256);
  if (file === undefined) throw new Error('an imported return file was not found');
  return { kind, imported: await describe(db, file) };
}

export async function findReturn(
  { db }: Pick<ReturnImportDeps, 'db'>,
  id: string,
): Promise<ImportedReturn | undefined> {
  const file = isUuid(id) ? await findReturnFile(db, id) : undefined;
  return file === undefined ? undefined : describe(db, file);
}

/** Returns a page of a file's lines; undefined if the file does not exist. */
export async function listReturnLines(
  { db }: Pick<ReturnImportDeps, 'db'>,
  id: string,
  page: { readonly problems: boolean; readonly take: number; readonly skip: number },
): Promise<{ readonly lines: readonly ReturnLine[]; readonly count: number } | undefined> {
  const file = isUuid(id) ? await findReturnFile(db, id) : undefined;
  return file === undefined ? undefined : findLines(db, file.id, page);
}

/** Stores a file with its lines; false if another call has just stored the same bytes. */
async function saveReturnFile(
  { db, clock }: ReturnImportDeps,
  { bankCode, number, lines }: ParsedReturn,
  { sha256, bytes }: Pick<ReturnFile, 'sha256' | 'bytes'>,
  author: AuditActor,
): Promise<boolean> {
  const at = clock.now();
  const id = newId(at.getTime());
  const file = { id, bankCode, sha256, bytes, number, takenBy: author.id, takenAt: at, completedAt: null };
  return db.transaction().execute(async (trx) => {
    if (!(await insertReturn(trx, file))) return false;
    const ordered = lines.toSorted(byIdentity);
    for (let start = 0; start < ordered.length; start += INSERT_BATCH_SIZE) {
      await insertReturnLines(trx, id, ordered.slice(start, start + INSERT_BATCH_SIZE));
    }
    await recordAudit(trx, author, {
      action: 'cnab-return.imported',
      recordType: 'cnab-return',
      recordId: id,
      sellerId: null,
      before: null,
      after: { bankCode, number, bytes, lines: lines.length },
      at,
    });
    return true;
  });
}

/** Applies all open lines of a bank and completes their files. */
export async function applyOpenLines(deps: ReturnImportDeps, bankCode: string): Promise<void> {
  const { db, clock } = deps;
  for (;;) {
    const lines = await findOpenLines(db, bankCode, CONCURRENT_LINES);
    if (lines.length === 0) break;
    await applyLines(deps, bankCode, lines);
  }
  await completeReturns(db, clock.now());
}

/** Applies lines concurrently, but those of one record one after the other in their order. */
async function applyLines(
  deps: ReturnImportDeps,
  bankCode: string,
  lines: readonly ReturnLine[],
): Promise<void> {
  const { db } = deps;
  const [payoutLines, boletoLines] = [lines.filter(isPayout), lines.filter((line) => !isPayout(line))];
  const [boletos, payments] = await Promise.all([
    findRegistrations(
      db,
      bankCode,
      boletoLines.map(({ record }) => record),
    ),
    findPayments(
      db,
      payoutLines.map(({ record }) => parseReference(record)),
    ),
  ]);
  const linesByRecord = Map.groupBy(lines, (line) => `${isPayout(line)} ${line.record}`);
  await runAll([...linesByRecord.values()], async (recordLines) => {
    const [first] = recordLines;
    // A payment and a boleto may have the same number.
    let boleto = first === undefined || isPayout(first) ? undefined : boletos.get(first.record);
    for (const line of recordLines) {
      const payment = isPayout(line) ? payments.get(parseReference(line.record)) : undefined;
      await applyReturnLine(deps, line, { boleto, payment, bankCode });
      // The next line of the same boleto must see what this one changed.
      if (recordLines.length > 1 && boleto !== undefined) {
        boleto = (await findRegistrations(db, bankCode, [boleto.number])).get(boleto.number);
      }
    }
  });
}

async function describe(db: Db, file: ReturnFile): Promise<ImportedReturn> {
  const firstProblems = { problems: true, take: MAX_PROBLEMS_SHOWN, skip: 0 };
  const [counts, problems] = await Promise.all([
    countLines(db, file.id),
    findLines(db, file.id, firstProblems),
  ]);
  return { file, counts, problems: problems.lines, problemCount: problems.count };
}

const isPayout = ({ kind }: ReturnLine): boolean => kind.startsWith('PAYOUT_');

/** Parses a payment's reference; -1, which no payment has, if it is malformed. */
const parseReference = (record: string): number => (/^\d{1,15}$/.test(record) ? Number(record) : -1);

function byIdentity(a: NewReturnLine, b: NewReturnLine): number {
  const [identityA, identityB] = [a.identity ?? '', b.identity ?? ''];
  if (identityA !== identityB) return identityA < identityB ? -1 : 1;
  return a.number - b.number;
}
