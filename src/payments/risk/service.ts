import { isDeepStrictEqual } from 'node:util';

import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { HttpError } from '#platform/http/errors.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { fingerprintsOf, POLICY_ID, SIGNAL_RETENTION_MS, type PolicyCache } from './assessor.ts';
import type { ListKind } from './kinds.ts';
import { isFingerprint, mask, MAX_ENTRIES, normalize, signalKindOf, type ListEntry } from './lists.ts';
import { findRelated, type RelativesDeps } from './relatives.ts';
import type { RiskRule } from './rule.ts';
import { countQueue, findDecision, findQueue, findSignals } from './store-signals.ts';
import {
  countEntries,
  deleteEntries,
  deleteRule,
  findEntries,
  findRule,
  findRules,
  hasEntry,
  insertEntry,
  insertRule,
  lockPolicy,
  MAX_RULES,
  updateRule,
} from './store.ts';

export { createPolicyCache, createRiskAssessor, deleteOldSignals, type PolicyCache } from './assessor.ts';
export { createCounting } from './counting.ts';
export { eraseSignals, recordDeclines } from './store-signals.ts';
export type { QueuedReview } from './store-signals.ts';

export interface RiskDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly policy: PolicyCache;
}

export type RiskService = ReturnType<typeof createRiskService>;

/** The rules and lists of the operator, and the charges that wait for a review. */
export const createRiskService = (deps: RiskDeps) =>
  bindDeps(deps, {
    listRules: ({ db }) => findRules(db),
    createRule,
    changeRule,
    removeRule,
    listEntries: ({ db }, kind: ListKind, limit: number) => findEntries(db, kind, limit),
    addEntry,
    removeEntry,
    listQueue,
    explain,
  });

type RuleFields = Omit<RiskRule, 'id' | 'position' | 'createdAt' | 'updatedAt'>;

/** Puts a rule at a position, by default the last one. */
async function createRule(
  deps: RiskDeps,
  fields: RuleFields,
  position: number | undefined,
  actor: AuditActor,
): Promise<RiskRule> {
  const now = deps.clock.now();
  return change(deps, async (trx) => {
    const rules = await findRules(trx);
    if (rules.length >= MAX_RULES) throw new HttpError('too_many_risk_rules');
    const rule = { ...fields, id: newId(now.getTime()), position: 0, createdAt: now, updatedAt: now };
    const placed = { ...rule, position: await place(trx, rules, rule, position ?? rules.length + 1) };
    await insertRule(trx, placed);
    await audit(trx, actor, { action: 'risk-rule.created', before: null, after: placed, at: now });
    return placed;
  });
}

type RuleChanges = Partial<RuleFields & { readonly position: number }>;

async function changeRule(
  deps: RiskDeps,
  id: string,
  { position, ...fields }: RuleChanges,
  actor: AuditActor,
): Promise<RiskRule | undefined> {
  if (!isUuid(id)) return undefined;
  const now = deps.clock.now();
  return change(deps, async (trx) => {
    const rules = await findRules(trx);
    const before = await findRule(trx, id);
    if (before === undefined) return undefined;
    const changed = { ...before, ...fields, updatedAt: now };
    const after = {
      ...changed,
      position: position === undefined ? before.position : await place(trx, rules, changed, position),
    };
    await updateRule(trx, after);
    await audit(trx, actor, { action: 'risk-rule.updated', before, after, at: now });
    return after;
  });
}

async function removeRule(deps: RiskDeps, id: string, actor: AuditActor): Promise<boolean> {
  if (!isUuid(id)) return false;
  return change(deps, async (trx) => {
    const before = await findRule(trx, id);
    if (before === undefined) return false;
    await deleteRule(trx, id);
    await audit(trx, actor, { action: 'risk-rule.deleted', before, after: null, at: deps.clock.now() });
    return true;
  });
}

/** Numbers all rules from 1 with one of them at a position. Returns that position. */
async function place(
  trx: DatabaseTransaction,
  rules: readonly RiskRule[],
  rule: RiskRule,
  position: number,
): Promise<number> {
  const others = rules.filter(({ id }) => id !== rule.id);
  const index = Math.min(Math.max(position, 1), others.length + 1) - 1;
  for (const [before, other] of others.entries()) {
    const number = before < index ? before + 1 : before + 2;
    if (other.position !== number) await updateRule(trx, { ...other, position: number });
  }
  return index + 1;
}

interface RuleChange {
  readonly action: Action;
  readonly before: RiskRule | null;
  readonly after: RiskRule | null;
  readonly at: Date;
}

function audit(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, before, after, at }: RuleChange,
): Promise<void> {
  const rule = after ?? before;
  if (rule === null) return Promise.resolve();
  const sameConditions = before !== null && after !== null && isDeepStrictEqual(before.when, after.when);
  const members = (of: RiskRule | null) =>
    of && {
      name: of.name,
      enabled: of.enabled,
      riskAction: of.action,
      position: of.position,
      publicReason: of.publicReason,
      ...(!sameConditions && { when: of.when }),
    };
  const target = { recordType: 'risk-rule', recordId: rule.id, sellerId: rule.sellerId } as const;
  return recordAudit(trx, actor, { action, ...target, before: members(before), after: members(after), at });
}

/** Changes rules or lists, one change at a time. Every process reads them again within a second. */
async function change<T>(
  { db, policy }: RiskDeps,
  work: (trx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  const result = await db.transaction().execute(async (trx) => {
    await lockPolicy(trx);
    const done = await work(trx);
    await invalidateCaches(trx, [POLICY_ID]);
    return done;
  });
  // Requests that follow on this process find the change at once.
  policy.invalidate(new Set([POLICY_ID]));
  return result;
}

/** Adds a value, which is well-formed, to a list. Returns undefined if the list has it. */
async function addEntry(
  deps: RiskDeps,
  { kind, value, note }: Pick<ListEntry, 'kind' | 'value' | 'note'>,
  actor: AuditActor,
): Promise<ListEntry | undefined> {
  const now = deps.clock.now();
  const stored = storedForms(deps, kind, value);
  const [current = ''] = stored;
  const masked = isFingerprint(value)
    ? '****'
    : mask(signalKindOf(kind), normalize(signalKindOf(kind), value));
  const entry = { id: newId(now.getTime()), kind, value: current, masked, note, createdAt: now };
  return change(deps, async (trx) => {
    if ((await countEntries(trx)) >= MAX_ENTRIES) throw new HttpError('too_many_risk_list_entries');
    if ((await hasEntry(trx, kind, stored)) || !(await insertEntry(trx, entry))) return undefined;
    await recordAudit(trx, actor, {
      action: 'risk-list.entry-added',
      recordType: 'risk-list',
      recordId: entry.id,
      sellerId: null,
      before: null,
      after: {
        list: kind,
        note,
      },
      at: now,
    });
    return entry;
  });
}

/** Returns the id of the entry; undefined if the list does not have the value. */
async function removeEntry(
  deps: RiskDeps,
  kind: ListKind,
  value: string,
  actor: AuditActor,
): Promise<string | undefined> {
  return change(deps, async (trx) => {
    const id = await deleteEntries(trx, kind, storedForms(deps, kind, value));
    if (id === undefined) return undefined;
    await recordAudit(trx, actor, {
      action: 'risk-list.entry-removed',
      recordType: 'risk-list',
      recordId: id,
      sellerId: null,
      before: { list: kind },
      after: null,
      at: deps.clock.now(),
    });
    return id;
  });
}

/** The fingerprints of a value, or the one that is given. The current form is first. */
const storedForms = ({ secrets }: RiskDeps, list: ListKind, value: string): readonly string[] =>
  isFingerprint(value) ? [value] : fingerprintsOf(secrets, signalKindOf(list), value);

async function listQueue({ db }: RiskDeps, take: number, after: string | null) {
  return { reviews: await findQueue(db, take + 1, after), count: await countQueue(db) };
}

/** Why a charge is in review, its card's fingerprint, and the related charges. */
async function explain({ db, clock }: RiskDeps, charge: Transaction, lookUp: RelativesDeps['lookUp']) {
  const [decision, signals] = await Promise.all([findDecision(db, charge), findSignals(db, charge)]);
  const since = new Date(clock.now().getTime() - SIGNAL_RETENTION_MS);
  const relatives = await findRelated({ db, lookUp, since }, charge, signals);
  return { decision, cardFingerprint: signals.card ?? null, relatives };
}
