import { createHash } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pagination.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { runAll } from '#platform/jobs/provider-calls.ts';
import { applyReturnLine, type ApplyDeps } from './return-application.ts';
import { parseReturnFile } from '#cnab/codec/return-parser.ts';
import type { NewReturnLine, ReturnCount, ReturnFile, ReturnLine } from '#cnab/codec/return-file.ts';
import type { CnabSettings } from './settings.ts';
import {
  completeReturns,
  countLines,
  findBoletos,
  findLines,
  findOpenLines,
  findPayments,
  findReturn,
  findReturnByBytes,
  findReturnFiles,
  insertReturn,
  insertReturnLines,
} from './store-returns.ts';

/** Lines of one statement. */
const INSERT_BATCH_SIZE = 1_000;
/** Lines that are worked on at once, as many as share commits well. */
const CONCURRENT_LINES = 40;
/** Of what a person must look at, so much is shown with the file; all of it is in the list of its lines. */
const MAX_PROBLEMS_SHOWN = 500;

export interface ReturnImportDeps extends Omit<ApplyDeps, 'bankCode'> {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: CnabSettings | undefined;
}

/** A file with what came of it. */
export interface ImportedReturn {
  readonly file: ReturnFile;
  readonly counts: readonly ReturnCount[];
  /** Lines that a person should look at, at most 500, in their order. */
  readonly problems: readonly ReturnLine[];
  /** How many of them there are. */
  readonly problemCount: number;
}

export type ImportResult =
  | { readonly kind: 'taken' | 'repeated'; readonly imported: ImportedReturn }
  /** Nothing of the file was taken. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | { readonly kind: 'not-set-up' };

/**
 * Takes in what the bank tells. First the file and all its lines are committed, then each line is worked on and marked, so that a
 * crash leaves lines that wait: whoever takes in a file next, the same or another one, finishes them first.
 */
export function createReturnImport(deps: ReturnImportDeps) {
  const { db, clock, settings } = deps;

  async function saveReturnFile(
    parsed: { readonly bankCode: string; readonly number: number; readonly lines: readonly NewReturnLine[] },
    sha256: Buffer,
    bytes: number,
    author: AuditActor,
  ): Promise<string | undefined> {
    const at = clock.now();
    const id = newId(at.getTime());
    const { bankCode, number, lines } = parsed;
    const file = { id, bankCode, sha256, bytes, number, takenBy: author.id, takenAt: at, completedAt: null };
    return db.transaction().execute(async (trx) => {
      if (!(await insertReturn(trx, file))) return undefined;
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
      return id;
    });
  }

  /** Works on all lines that wait. Lines about one record go one after the other, in their order. */
  async function applyOpenLines(bankCode: string): Promise<void> {
    for (;;) {
      const open = await findOpenLines(db, bankCode, CONCURRENT_LINES);
      if (open.length === 0) break;
      const [boletos, payments] = await Promise.all([
        findBoletos(
          db,
          bankCode,
          open.filter((line) => !isPayout(line)).map(({ record }) => record),
        ),
        findPayments(
          db,
          open.filter(isPayout).map(({ record }) => parseReference(record)),
        ),
      ]);
      const byRecord = Map.groupBy(open, (line) => `${isPayout(line)} ${line.record}`);
      await runAll([...byRecord.values()], async (lines) => {
        let boleto = boletos.get(lines[0]?.record ?? '');
        for (const line of lines) {
          const payment = isPayout(line) ? payments.get(parseReference(line.record)) : undefined;
          await applyReturnLine({ ...deps, bankCode }, line, { boleto, payment });
          // What one line has changed, the next one of the same boleto must see.
          if (lines.length > 1 && boleto !== undefined) {
            boleto = (await findBoletos(db, bankCode, [boleto.number])).get(boleto.number);
          }
        }
      });
    }
    await completeReturns(db, clock.now());
  }

  async function describe(file: ReturnFile): Promise<ImportedReturn> {
    const firstProblems = { problems: true, take: MAX_PROBLEMS_SHOWN, skip: 0 };
    const [counts, { lines, count }] = await Promise.all([
      countLines(db, file.id),
      findLines(db, file.id, firstProblems),
    ]);
    return { file, counts, problems: lines, problemCount: count };
  }

  return {
    /** Takes a file in, all of it or nothing; the same bytes again answer what came of them. */
    async importReturn(bytes: Buffer, author: AuditActor): Promise<ImportResult> {
      if (settings === undefined) return { kind: 'not-set-up' };
      const sha256 = createHash('sha256').update(bytes).digest();
      const known = await findReturnByBytes(db, sha256);
      let kind: 'taken' | 'repeated' = 'repeated';
      if (known === undefined) {
        const parsed = parseReturnFile(bytes, settings);
        if (!parsed.ok) return { kind: 'refused', problems: parsed.problems };
        if ((await saveReturnFile(parsed, sha256, bytes.length, author)) !== undefined) kind = 'taken';
        failPoint('cnab-returns.saved');
      }
      await applyOpenLines(settings.agreement.bankCode);
      const file = await findReturnByBytes(db, sha256);
      if (file === undefined) throw new Error('a return file is there and cannot be found');
      return { kind, imported: await describe(file) };
    },

    listReturns: (page: Page) => findReturnFiles(db, page),

    async findReturn(id: string): Promise<ImportedReturn | undefined> {
      const file = isUuid(id) ? await findReturn(db, id) : undefined;
      return file === undefined ? undefined : describe(file);
    },

    async listReturnLines(
      id: string,
      page: { readonly problems: boolean; readonly take: number; readonly skip: number },
    ): Promise<{ readonly lines: readonly ReturnLine[]; readonly count: number } | undefined> {
      const file = isUuid(id) ? await findReturn(db, id) : undefined;
      return file === undefined ? undefined : findLines(db, file.id, page);
    },
  };
}

const isPayout = ({ kind }: ReturnLine): boolean => kind.startsWith('PAYOUT_');

/** -1 is no payment's. */
const parseReference = (record: string): number => (/^\d{1,15}$/.test(record) ? Number(record) : -1);

function byIdentity(one: NewReturnLine, other: NewReturnLine): number {
  const [a, b] = [one.identity ?? '', other.identity ?? ''];
  if (a !== b) return a < b ? -1 : 1;
  return one.number - other.number;
}
