import type { RiskAssessor, RiskCharge, RiskVerdict } from '#payments/transactions/risk-port.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import { cardCountryOf } from './card-country.ts';
import { listOf, normalize, type ListKind } from './lists.ts';
import {
  countsHold,
  isCandidate,
  MAX_COUNTED,
  talliesOf,
  type CountedCharge,
  type RiskRule,
  type SignalKind,
  type Tally,
} from './rule.ts';
import {
  deleteSignals,
  deleteSignalsBefore,
  findCounted,
  insertDecision,
  insertSignals,
  lockKeys,
  type CountQuery,
  type Signal,
} from './store-signals.ts';
import { loadPolicy } from './store.ts';

/** The id by which processes learn that rules or lists have changed. */
export const POLICY_ID = '00000000-0000-4000-8000-000000000000';

/** What decides, as every process keeps it. */
export interface Policy {
  /** The enabled rules in order. */
  readonly rules: readonly RiskRule[];
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
      return new Map(keys.map((key) => [key, { rules, lists }]));
    },
    idsOf: () => [POLICY_ID],
  });

export interface AssessorDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly policy: PolicyCache;
}

export const createRiskAssessor = (deps: AssessorDeps): RiskAssessor => ({
  assess: (charge) => assess(deps, charge),
  withdraw: (key) => deleteSignals(deps.db, key),
});

/** Keyed hash of a value, by which charges are compared and cards are listed. */
export const fingerprintOf = (secrets: SecretBox, kind: SignalKind, value: string): string =>
  secrets.mac(`${kind} ${normalize(kind, value)}`, 'risk');

interface Verdict {
  readonly action: RiskRule['action'];
  readonly rule: Pick<RiskRule, 'name' | 'publicReason'> & { readonly id: string | null };
}

const LISTED = { id: null, name: 'list', publicReason: null };

/**
 * Decides by the lists, and then by the first rule that holds. What is counted is locked, counted
 * and added to by one transaction, so that concurrent charges of all processes count each other.
 */
async function assess({ db, secrets, policy }: AssessorDeps, charge: RiskCharge): Promise<RiskVerdict> {
  const { rules, lists } = (await policy.get(POLICY_ID)) ?? { rules: [], lists: new Map() };
  const values = valuesOf(charge);
  const listed = verdictOfLists(secrets, lists, values);
  const country = charge.cardNumber === null ? null : cardCountryOf(charge.cardNumber);
  const candidates = listed === undefined ? rules.filter((rule) => isCandidate(rule, charge, country)) : [];
  // What comes after the first rule that counts nothing is never reached.
  const end = candidates.findIndex((rule) => talliesOf(rule).length === 0);
  const reached = end === -1 ? candidates : candidates.slice(0, end + 1);
  const isCounted = rules.some((rule) => mayCount(rule, charge));
  if (!isCounted && listed === undefined && reached[0] === undefined) return { action: 'ALLOW' };
  const signals = values.map(([kind, value]) => ({ kind, key: fingerprintOf(secrets, kind, value) }));
  const verdict = await db.transaction().execute(async (trx) => {
    const counted = await count(trx, charge, signals, reached);
    const decided = listed ?? decide(reached, charge, counted);
    const { sellerId, id, requestId, amount, method, createdAt } = charge;
    const isCard = method === 'CREDIT_CARD';
    await insertSignals(trx, { sellerId, id, requestId, signals, amount, isCard, createdAt });
    if (decided !== undefined && decided.action !== 'ALLOW') {
      const { action, rule } = decided;
      await insertDecision(trx, { sellerId, id, action, ruleId: rule.id, ruleName: rule.name, createdAt });
    }
    return decided;
  });
  return toRiskVerdict(verdict);
}

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

/** What is blocked is refused, even if something else of the charge is trusted. */
function verdictOfLists(
  secrets: SecretBox,
  lists: Policy['lists'],
  values: readonly Value[],
): Verdict | undefined {
  const isListed =
    (effect: 'blocked' | 'trusted') =>
    ([kind, value]: Value) => {
      const list = listOf(effect, kind);
      const entries = list === undefined ? undefined : lists.get(list);
      if (entries === undefined) return false;
      const text = normalize(kind, value);
      return kind === 'card'
        ? secrets.allMacs(`card ${text}`, 'risk').some((mac) => entries.has(mac))
        : entries.has(text);
    };
  if (values.some(isListed('blocked'))) return { action: 'REFUSE', rule: LISTED };
  if (values.some(isListed('trusted'))) return { action: 'ALLOW', rule: LISTED };
  return undefined;
}

/** Whether a rule may ever count such a charge, whatever its amount. */
const mayCount = (rule: RiskRule, { method, sellerId }: RiskCharge): boolean =>
  talliesOf(rule).length > 0 &&
  (rule.sellerId === null || rule.sellerId === sellerId) &&
  (rule.when.methods?.includes(method) ?? true);

const tallyName = ({ kind, of, sellerId }: Tally): string => `${kind} ${of} ${sellerId}`;

type Counted = ReadonlyMap<string, readonly CountedCharge[]>;

/** Reads, in one statement, what the rules count. */
async function count(
  trx: DatabaseTransaction,
  charge: RiskCharge,
  signals: readonly Signal[],
  rules: readonly RiskRule[],
): Promise<Counted> {
  const keys = new Map(signals.map(({ kind, key }) => [kind, key]));
  const queries = new Map<string, CountQuery>();
  for (const rule of rules)
    for (const tally of talliesOf(rule)) {
      const key = keys.get(tally.kind);
      if (key === undefined) continue;
      const name = tallyName(tally);
      const known = queries.get(name);
      const since = new Date(charge.createdAt.getTime() - windowSecondsOf(rule) * 1_000);
      queries.set(name, {
        key,
        exceptRequest: charge.requestId,
        declinesOnly: tally.of === 'declines',
        sellerId: tally.sellerId,
        since: known !== undefined && known.since < since ? known.since : since,
        limit: Math.max(known?.limit ?? 0, limitOf(rule)),
      });
    }
  if (queries.size === 0) return new Map();
  const names = [...queries.keys()];
  const reads = [...queries.values()];
  await lockKeys(trx, [...new Set(reads.map(({ key }) => key))]);
  const rows = await findCounted(trx, reads);
  return Map.groupBy(rows, ({ index }) => names[index] ?? '');
}

const windowSecondsOf = ({ when: { count, sum } }: RiskRule): number =>
  Math.max(count?.windowSeconds ?? 0, sum?.windowSeconds ?? 0);

const limitOf = ({ when: { count, sum } }: RiskRule): number =>
  sum === undefined ? (count?.above ?? 0) + 1 : MAX_COUNTED;

/** The first rule that holds. A rule holds for nothing that the charge does not have. */
function decide(rules: readonly RiskRule[], charge: RiskCharge, counted: Counted): Verdict | undefined {
  const kinds = new Set(valuesOf(charge).map(([kind]) => kind));
  const rule = rules.find(
    (candidate) =>
      talliesOf(candidate).every(({ kind }) => kinds.has(kind)) &&
      countsHold(candidate, charge, (tally) => counted.get(tallyName(tally)) ?? []),
  );
  return rule === undefined ? undefined : { action: rule.action, rule };
}

const RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes what no rule counts. Returns how many. */
export const deleteOldSignals = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteSignalsBefore(db, new Date(now.getTime() - RETENTION_MS), limit);
