import { createHash } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pagination.ts';
import { newId } from '#platform/kit/ids.ts';
import type { MovementWindow } from '#accounting/ledger/provider-movements.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import { parseSettlementFile, type NumberedLine } from './settlement-file.ts';
import { findDays, findDifferences, type DayRow, type DifferenceRow } from './store-matching.ts';
import {
  findFileByHash,
  findFiles,
  insertFile,
  insertLines,
  updateFileTotals,
  type FileFilter,
  type FileTotals,
  type SettlementFile,
} from './store.ts';

export type { SettlementFile } from './store.ts';

/** Lines of one statement of an import. */
const LINES_PER_STATEMENT = 2_000;
/** Differences of one statement of an export. */
const EXPORT_PAGE_SIZE = 5_000;

export interface ReconciliationDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Who moves the money of each origin where no provider has reported it. */
  readonly defaultProviders: MovementWindow['defaultProviders'];
}

export type ImportResult =
  | { readonly kind: 'imported' | 'repeated'; readonly file: SettlementFile }
  /** Nothing of the file was imported. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** Some days of one provider or of all; both ends belong to it. */
export interface Period {
  readonly provider: string | undefined;
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export interface DayReport extends DayRow {
  /** NO_FILE: neither a file for the day nor a line dated on it. */
  readonly status: 'BALANCED' | 'DIFFERENT' | 'NO_FILE';
  /** Every line has its movement, to the cent and at most a day apart, and every movement its line. */
  readonly balanced: boolean;
}

export type ReconciliationService = ReturnType<typeof createReconciliationService>;

export function createReconciliationService({ db, clock, defaultProviders }: ReconciliationDeps) {
  return {
    /**
     * Takes in a settlement file, all of it or nothing. The same bytes again answer the first import. Lines whose id was
     * imported before are kept as duplicates and do not count.
     */
    async importFile(request: {
      readonly provider: string;
      readonly day: LocalDate;
      readonly bytes: Buffer;
      readonly author: Caller;
    }): Promise<ImportResult> {
      const { provider, day, bytes, author } = request;
      const sha256 = createHash('sha256').update(bytes).digest();
      const known = await findFileByHash(db, provider, sha256);
      if (known !== undefined) return { kind: 'repeated', file: known };
      const parsed = await parseSettlementFile(bytes, day);
      if (!parsed.ok) return { kind: 'refused', problems: parsed.problems };
      // In the order that imports take ids in, so that two with the same ids never wait for each other both.
      const lines = parsed.lines.toSorted(byTypeAndId);
      const importedAt = clock.now();
      const file = {
        id: newId(importedAt.getTime()),
        provider,
        day,
        sha256,
        bytes: bytes.length,
        lines: lines.length,
        importedBy: author.id,
        importedAt,
      };
      const totals = await db.transaction().execute(async (trx): Promise<FileTotals | undefined> => {
        if (!(await insertFile(trx, file))) return undefined;
        let sum: FileTotals = { duplicates: 0, moneyIn: 0, moneyOut: 0, fees: 0 };
        for (let at = 0; at < lines.length; at += LINES_PER_STATEMENT) {
          sum = addTotals(sum, await insertLines(trx, file, lines.slice(at, at + LINES_PER_STATEMENT)));
        }
        failPoint('settlements.lines-inserted');
        await updateFileTotals(trx, file.id, sum);
        await recordAudit(trx, author, {
          action: 'settlement-file.imported',
          recordType: 'settlement-file',
          recordId: file.id,
          sellerId: null,
          before: null,
          after: { provider, day, bytes: file.bytes, lines: file.lines, ...sum },
          at: importedAt,
        });
        return sum;
      });
      if (totals !== undefined) {
        failPoint('settlements.committed');
        return { kind: 'imported', file: { ...file, ...totals } };
      }
      const existing = await findFileByHash(db, provider, sha256);
      if (existing === undefined) throw new Error('a settlement file is there and cannot be found');
      return { kind: 'repeated', file: existing };
    },

    /** How each day of each provider stands now, whenever its lines and its money came. */
    async listDays(period: Period): Promise<readonly DayReport[]> {
      const rows = await findDays(db, { ...period, defaultProviders });
      return rows.map((row) => {
        const balanced = row.differences === 0;
        const hasData = row.files > 0 || row.lines > 0;
        return { ...row, balanced, status: !hasData ? 'NO_FILE' : balanced ? 'BALANCED' : 'DIFFERENT' };
      });
    },

    listDifferences: (
      period: Period,
      kind: DifferenceKind | undefined,
      page: { readonly take: number; readonly skip: number },
    ) => findDifferences(db, { ...period, defaultProviders }, kind, page),

    /** Every difference of the period, day by day, read in portions. */
    async *streamDifferences(
      { provider, from, to }: Period,
      kind: DifferenceKind | undefined,
    ): AsyncGenerator<DifferenceRow> {
      for (let day = from; day <= to; day = addDays(day, 1)) {
        for (let after: DifferenceRow | undefined; ;) {
          const scope = { provider, from: day, to: day, defaultProviders };
          const page = { take: EXPORT_PAGE_SIZE, skip: 0, after };
          const { differences } = await findDifferences(db, scope, kind, page);
          yield* differences;
          if (differences.length < EXPORT_PAGE_SIZE) break;
          after = differences.at(-1);
        }
      }
    },

    listFiles: (filter: FileFilter, page: Page) => findFiles(db, filter, page),
  };
}

function byTypeAndId(a: NumberedLine, b: NumberedLine): number {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1;
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return a.number - b.number;
}

const addTotals = (a: FileTotals, b: FileTotals): FileTotals => ({
  duplicates: a.duplicates + b.duplicates,
  moneyIn: a.moneyIn + b.moneyIn,
  moneyOut: a.moneyOut + b.moneyOut,
  fees: a.fees + b.fees,
});
