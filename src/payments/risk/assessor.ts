import type {
  RiskAssessment,
  RiskAssessor,
  RiskCharge,
  RiskVerdict,
} from '#payments/transactions/risk-port.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import { cardCountryOf } from './card-country.ts';
import type { ListKind } from './kinds.ts';
import { listOf, normalize } from './lists.ts';
import {
  countsMatch,
  isCandidate,
  MAX_COUNTED,
  toLoadedRule,
  type CountedCharge,
  type LoadedRule,
  type RiskRule,
  type SignalKind,
} from './rule.ts';
import type { Counting } from './counting.ts';
import {
  deleteSignals,
  deleteSignalsBefore,
  insertDecision,
  settleSignals,
  type CountQuery,
  type Signals,
} from './store-signals.ts';
import { loadPolicy } from './store.ts';

/** The cache id of rules and lists. */
export const POLICY_ID = '00000000-0000-4000-8000-000000000000';

/** The rules and lists, as every process caches them. */
export interface Policy {
  /** The enabled rules in order. */
  readonly rules: readonly LoadedRule[];
  readonly lists: ReadonlyMap<ListKind, ReadonlySet<string>>;
}

export type PolicyCache = RecordCache<string, Policy>;

export const createPolicyCache = (caches: RecordCaches): PolicyCache =>
  caches.create<Policy>({
    name: 'risk policy',
    tables: [],
    load: async (query, keys) => {
      const { rules, entries } = await loadPolicy(query);
      const lists = new Map<ListKind, Set<string>>();
      for (const { kind, value } of entries)
        lists.set(kind, (lists.get(kind) ?? new Set<string>()).add(value));
      return new Map(keys.map((key) => [key, { rules: rules.map(toLoadedRule), lists }]));
    },
    idsOf: () => [POLICY_ID],
  });

export interface AssessorDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly policy: PolicyCache;
  readonly counting: Counting;
}

export const createRiskAssessor = (deps: AssessorDeps): RiskAssessor => ({
  assess: (charge) => assess(deps, charge),
});

/** Keyed hash of a value, by which charges are compared and values are listed. */
const fingerprintOf = (secrets: SecretBox, kind: SignalKind, value: string): string =>
  secrets.keyedHash(`${kind} ${normalize(kind, value)}`, 'risk');

/** The fingerprints of a value under all keys, first the current one. */
export const fingerprintsOf = (secrets: SecretBox, kind: SignalKind, value: string): readonly string[] =>
  secrets.allKeyedHashes(`${kind} ${normalize(kind, value)}`, 'risk');

interface Verdict {
  readonly action: RiskRule['action'];
  readonly rule: Pick<RiskRule, 'name' | 'publicReason'> & { readonly id: string | null };
}

const LISTED = { id: null, name: 'list', publicReason: null };

/** Decides by the lists, and then by the first rule that matches. */
async function assess(deps: AssessorDeps, charge: RiskCharge): Promise<RiskAssessment> {
  const { secrets, policy } = deps;
  const { rules, lists } = (await policy.get(POLICY_ID)) ?? { rules: [], lists: new Map() };
  const values = valuesOf(charge);
  const listed = verdictOfLists(secrets, lists, values);
  const country = charge.cardNumber === null ? null : cardCountryOf(charge.cardNumber);
  const candidates = listed === undefined ? rules.filter((rule) => isCandidate(rule, charge, country)) : [];
  // Of these, a rule that counts nothing always matches, so that later ones are never reached.
  const end = candidates.findIndex((rule) => rule.tallies.length === 0);
  const reached = end === -1 ? candidates : candidates.slice(0, end + 1);
  const isCounted = rules.some((rule) => needsSignals(rule) && concerns(rule, charge));
  if (!isCounted && listed === undefined && reached[0] === undefined) return ALLOWED;
  const signals = Object.fromEntries(
    values.map(([kind, value]) => [kind, fingerprintOf(secrets, kind, value)]),
  );
  const countedBySeller = rules.some((rule) => rule.countsOfSeller && concerns(rule, charge));
  const counted = await count(deps, { charge, signals, countedBySeller }, reached);
  const decided = listed ?? decide(reached, charge, counted);
  await recordDecision(deps, charge, decided);
  return {
    verdict: toRiskVerdict(decided),
    settle: async (isCreated) => {
      if (!isCreated) await deleteSignals(deps.db, charge);
      else if (isPublicCard(charge)) await settleSignals(deps.db, charge);
    },
  };
}

const ALLOWED: RiskAssessment = { verdict: { action: 'ALLOW' }, settle: undefined };

async function recordDecision(
  { db }: AssessorDeps,
  { sellerId, id, createdAt }: RiskCharge,
  verdict: Verdict | undefined,
): Promise<void> {
  if (verdict === undefined || verdict.action === 'ALLOW') return;
  const { action, rule } = verdict;
  await insertDecision(db, { sellerId, id, action, ruleId: rule.id, ruleName: rule.name, createdAt });
}

/**
 * A card of a payment page counts as declined until it has an outcome, so that cards cannot be
 * tested faster than a provider responds. A seller's own requests may come in parallel.
 */
const isPublicCard = ({ method, paymentLinkId }: RiskCharge): boolean =>
  method === 'CREDIT_CARD' && paymentLinkId !== null;

function toRiskVerdict(verdict: Verdict | undefined): RiskVerdict {
  if (verdict === undefined) return { action: 'ALLOW' };
  const { action, rule } = verdict;
  if (action !== 'REFUSE') return { action };
  const { publicReason } = rule;
  const reason =
    publicReason === null ? 'refused by a risk rule' : (`refused by a risk rule: ${publicReason}` as const);
  return { action, reason };
}

type Value = readonly [SignalKind, string];

function valuesOf({ cardNumber, document, email, address, paymentLinkId }: RiskCharge): readonly Value[] {
  const values: readonly (readonly [SignalKind, string | null])[] = [
    ['card', cardNumber],
    ['document', document],
    ['email', email],
    ['address', address],
    ['link', paymentLinkId],
  ];
  return values.filter((entry): entry is Value => entry[1] !== null);
}

/** A blocked value refuses the charge, even if another value is trusted. */
function verdictOfLists(
  secrets: SecretBox,
  lists: Policy['lists'],
  values: readonly Value[],
): Verdict | undefined {
  if (lists.size === 0) return undefined;
  const isListed =
    (effect: 'blocked' | 'trusted') =>
    ([kind, value]: Value) => {
      const list = listOf(effect, kind);
      const entries = list === undefined ? undefined : lists.get(list);
      if (entries === undefined) return false;
      return fingerprintsOf(secrets, kind, value).some((fingerprint) => entries.has(fingerprint));
    };
  if (values.some(isListed('blocked'))) return { action: 'REFUSE', rule: LISTED };
  if (values.some(isListed('trusted'))) return { action: 'ALLOW', rule: LISTED };
  return undefined;
}

/**
 * Whether a rule needs signals: it counts charges, or may lead to a review, which shows related
 * charges.
 */
const needsSignals = ({ tallies, action }: LoadedRule): boolean => tallies.length > 0 || action === 'REVIEW';

/** Whether a rule can match such a charge. */
const concerns = ({ sellerId, when }: LoadedRule, charge: RiskCharge): boolean =>
  (sellerId === null || sellerId === charge.sellerId) && (when.methods?.includes(charge.method) ?? true);

type Counted = ReadonlyMap<string, readonly CountedCharge[]>;

interface SignaledCharge {
  readonly charge: RiskCharge;
  readonly signals: Signals;
  readonly countedBySeller: boolean;
}

/** Adds the charge, and reads what the rules count. */
async function count(
  { counting }: AssessorDeps,
  { charge, signals, countedBySeller }: SignaledCharge,
  rules: readonly LoadedRule[],
): Promise<Counted> {
  const queries = queriesOf(rules, signals);
  const { sellerId, id, requestId, amount, createdAt } = charge;
  const isPublic = isPublicCard(charge);
  const reads = [...queries.values()];
  const exact = reads.filter(({ declinesOnly }) => !declinesOnly || isPublic);
  const rows = await counting.add({
    sellerId,
    id,
    requestId,
    signals,
    amount,
    createdAt,
    declined: isPublic ? null : false,
    countedBySeller,
    locks: exact.flatMap(({ kind }) => signals[kind] ?? []),
    queries: reads,
  });
  return new Map([...queries.keys()].map((name, index) => [name, rows[index] ?? []]));
}

/** The counts of a charge, by the name of the tally. */
function queriesOf(rules: readonly LoadedRule[], signals: Signals): ReadonlyMap<string, CountQuery> {
  const queries = new Map<string, CountQuery>();
  for (const rule of rules) {
    const limit = limitOf(rule);
    for (const { kind, of, scope, name } of rule.tallies) {
      if (signals[kind] === undefined || limit <= (queries.get(name)?.limit ?? 0)) continue;
      queries.set(name, { name, kind, declinesOnly: of === 'declines', scope, limit });
    }
  }
  return queries;
}

const limitOf = ({ when: { count, sum } }: RiskRule): number =>
  sum === undefined ? (count?.above ?? 0) + 1 : MAX_COUNTED;

/**
 * The first rule that matches. A rule does not match a charge that lacks a value that it counts by.
 */
function decide(rules: readonly LoadedRule[], charge: RiskCharge, counted: Counted): Verdict | undefined {
  const kinds = new Set(valuesOf(charge).map(([kind]) => kind));
  const rule = rules.find(
    (candidate) =>
      candidate.tallies.every(({ kind }) => kinds.has(kind)) &&
      countsMatch(candidate, charge, ({ name }) => counted.get(name) ?? []),
  );
  return rule === undefined ? undefined : { action: rule.action, rule };
}

/** How long charges are counted and compared. */
export const SIGNAL_RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes signals that no rule counts any more. Returns how many. */
export const deleteOldSignals = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteSignalsBefore(db, new Date(now.getTime() - SIGNAL_RETENTION_MS), limit);
