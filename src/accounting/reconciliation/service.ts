import { createHash } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pagination.ts';
import { newId } from '#platform/kit/ids.ts';
import type { MovementWindow } from '#accounting/ledger/provider-movements.ts';
import { findDayRows, isKnownToMatch } from './day-rows.ts';
import { createStoredDaysJob } from './reconciled-days.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import { findMissingMovements, findMissingPeriod, includesMissing } from './missing-movements.ts';
import { parseSettlementFile, type NumberedLine } from './settlement-file.ts';
import {
  findDifferences,
  findHasLines,
  type DayRow,
  type DifferencePage,
  type DifferenceRow,
  type Differences,
  type MatchScope,
  type PositionedDifference,
} from './store-matching.ts';
import {
  findFileByHash,
  findFileProviders,
  findFiles,
  insertFile,
  insertLines,
  updateFileTotals,
  type FileFilter,
  type FileTotals,
  type NewSettlementFile,
  type SettlementFile,
} from './store.ts';

export type { SettlementFile } from './store.ts';

const LINES_PER_STATEMENT = 2_000;
const EXPORT_PAGE_SIZE = 5_000;
/** Movements are not evenly distributed: that many more are read at first than a page needs. */
const MARGIN = 1.25;

export interface ReconciliationDeps {
  readonly db: Db;
  /** For reports. */
  readonly reads: Db;
  readonly clock: Clock;
  /** The provider of each origin for money that no provider reported. */
  readonly defaultProviders: MovementWindow['defaultProviders'];
  /** The names of the configured providers. */
  readonly providers: readonly string[];
}

interface ImportRequest {
  readonly provider: string;
  readonly day: LocalDate;
  readonly bytes: Buffer;
  readonly author: Caller;
}

type ImportResult =
  | { readonly kind: 'imported' | 'repeated'; readonly file: SettlementFile }
  /** Neither configured nor known from earlier files. */
  | { readonly kind: 'unknown-provider'; readonly known: readonly string[] }
  /** Nothing of the file was imported. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** A period of one provider or of all; both ends are inclusive. */
interface Period {
  readonly provider: string | undefined;
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export interface DayReport extends DayRow {
  /** NO_FILE: neither a file for the day nor a line dated on it. */
  readonly status: 'BALANCED' | 'DIFFERENT' | 'NO_FILE';
  /**
   * Every line has its movement, to the cent and at most a day apart, and every movement its line.
   */
  readonly balanced: boolean;
}

export type ReconciliationService = ReturnType<typeof createReconciliationService>;

export const createReconciliationService = (deps: ReconciliationDeps) =>
  bindDeps(
    { ...deps, updateStoredDays: createStoredDaysJob(deps) },
    {
      importFile,
      listFiles,
      listDays,
      listDifferences,
      streamDifferences,
      /** A job of the worker. */
      updateStoredDays: ({ updateStoredDays }) => updateStoredDays(),
    },
  );

/**
 * Imports a settlement file completely or not at all. The same bytes again return the first import.
 * Lines whose id was imported before are stored as duplicates and do not count.
 */
async function importFile(
  { db, clock, providers }: ReconciliationDeps,
  { provider, day, bytes, author }: ImportRequest,
): Promise<ImportResult> {
  if (!providers.includes(provider)) {
    // The last files of a provider come after it was removed from the settings.
    const known = [...new Set([...providers, ...(await findFileProviders(db))])].toSorted();
    if (!known.includes(provider)) return { kind: 'unknown-provider', known };
  }
  const sha256 = createHash('sha256').update(bytes).digest();
  const existing = await findFileByHash(db, provider, sha256);
  if (existing !== undefined) return { kind: 'repeated', file: existing };
  const parsed = await parseSettlementFile(bytes, day);
  if (!parsed.ok) return { kind: 'refused', problems: parsed.problems };
  const importedAt = clock.now();
  const file = {
    id: newId(importedAt.getTime()),
    provider,
    day,
    sha256,
    bytes: bytes.length,
    lines: parsed.lines.length,
    importedBy: author.id,
    importedAt,
  };
  const totals = await saveFile(db, file, parsed.lines, author);
  if (totals !== undefined) {
    failPoint('settlements.committed');
    return { kind: 'imported', file: { ...file, ...totals } };
  }
  const concurrent = await findFileByHash(db, provider, sha256);
  if (concurrent === undefined) throw new Error('a settlement file exists and cannot be found');
  return { kind: 'repeated', file: concurrent };
}

/** Returns undefined when another import of the same bytes was committed first. */
function saveFile(
  db: Db,
  file: NewSettlementFile,
  lines: readonly NumberedLine[],
  author: Caller,
): Promise<FileTotals | undefined> {
  // Lines are inserted in id order, so that two imports with the same ids cannot deadlock.
  const ordered = lines.toSorted(byTypeAndId);
  return db.transaction().execute(async (trx) => {
    if (!(await insertFile(trx, file))) return undefined;
    let totals: FileTotals = { duplicates: 0, moneyIn: 0, moneyOut: 0, fees: 0 };
    for (let at = 0; at < ordered.length; at += LINES_PER_STATEMENT) {
      const chunk = ordered.slice(at, at + LINES_PER_STATEMENT);
      totals = addTotals(totals, await insertLines(trx, file, chunk));
    }
    failPoint('settlements.lines-inserted');
    await updateFileTotals(trx, file.id, totals);
    const { provider, day, bytes } = file;
    await recordAudit(trx, author, {
      action: 'settlement-file.imported',
      recordType: 'settlement-file',
      recordId: file.id,
      sellerId: null,
      before: null,
      after: { provider, day, bytes, lines: file.lines, ...totals },
      at: file.importedAt,
    });
    return totals;
  });
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

const listFiles = ({ db }: ReconciliationDeps, filter: FileFilter, page: Page) => findFiles(db, filter, page);

/** Compares each day of each provider with the current state of the ledger. */
async function listDays(
  { reads, defaultProviders }: ReconciliationDeps,
  period: Period,
): Promise<readonly DayReport[]> {
  const rows = await findDayRows(reads, { ...period, defaultProviders });
  return rows.map((row) => {
    const balanced = row.differences === 0;
    const hasFile = row.files > 0 || row.lines > 0;
    return { ...row, balanced, status: !hasFile ? 'NO_FILE' : balanced ? 'BALANCED' : 'DIFFERENT' };
  });
}

/**
 * Days that are known to have no difference are not matched again, and of days that no line can
 * refer to only a page is read.
 */
async function listDifferences(
  { reads, defaultProviders }: ReconciliationDeps,
  period: Period,
  kind: DifferenceKind | undefined,
  page: DifferencePage,
): Promise<Differences> {
  const scope = { ...period, defaultProviders };
  if (!(await findHasLines(reads, scope))) return listMissing(reads, scope, kind, page);
  if (await isKnownToMatch(reads, scope)) return { differences: [], count: 0 };
  return findDifferences(reads, scope, kind, page);
}

async function listMissing(
  reads: Db,
  scope: MatchScope,
  kind: DifferenceKind | undefined,
  { take, skip }: DifferencePage,
): Promise<Differences> {
  if (!includesMissing(kind)) return { differences: [], count: 0 };
  const period = await findMissingPeriod(reads, scope, skip);
  const count = period.count ?? (await countDifferences(reads, scope));
  const length = Math.min(take, count - skip);
  const found: DifferenceRow[] = [];
  if (length > 0) {
    for await (const slice of findMissingMovements(reads, scope, MARGIN * length, period)) {
      found.push(...slice);
      if (found.length >= length) break;
    }
  }
  return { differences: found.slice(0, take), count };
}

async function countDifferences(reads: Db, scope: MatchScope): Promise<number> {
  const rows = await findDayRows(reads, scope);
  return rows.reduce((sum, { differences }) => sum + differences, 0);
}

/** Streams every difference of the period, reading day by day and page by page. */
async function* streamDifferences(
  { reads, defaultProviders }: ReconciliationDeps,
  { provider, from, to }: Period,
  kind: DifferenceKind | undefined,
): AsyncGenerator<DifferenceRow> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const scope = { provider, from: day, to: day, defaultProviders };
    if (!(await findHasLines(reads, scope))) {
      if (!includesMissing(kind)) continue;
      const days = await findMissingPeriod(reads, scope);
      for await (const slice of findMissingMovements(reads, scope, EXPORT_PAGE_SIZE, days)) yield* slice;
      continue;
    }
    for (let after: PositionedDifference | undefined; ;) {
      const page = { take: EXPORT_PAGE_SIZE, skip: 0, after };
      const { differences } = await findDifferences(reads, scope, kind, page);
      yield* differences;
      if (differences.length < EXPORT_PAGE_SIZE) break;
      after = differences.at(-1);
    }
  }
}
