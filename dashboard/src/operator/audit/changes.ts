import { formatMoney, formatNumber } from '../../i18n/format.ts';
import { findText } from '../../i18n/i18n.ts';
import { detailLabel } from '../components/details.ts';

type Members = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flattens nested members to paths such as `creditCard.type`. */
function flatten(members: Members, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(members)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (isRecord(value)) for (const [inner, one] of flatten(value, memberPath)) found.set(inner, one);
    else found.set(memberPath, value);
  }
  return found;
}

export interface MemberChange {
  readonly member: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** The members that differ; all members of a created or deleted record. */
export function changes(before: Members | null, after: Members | null): readonly MemberChange[] {
  const [were, are] = [flatten(before ?? {}), flatten(after ?? {})];
  return [...new Set([...were.keys(), ...are.keys()])]
    .map((member) => ({ member, was: were.get(member), is: are.get(member) }))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is));
}

/** Members that hold cents. */
const CENTS = new Set([
  'amount',
  'feeAmount',
  'netAmount',
  'autoApproveUpTo',
  'negativeBalanceUpTo',
  'chargebackFee',
  'twoPersonApprovalAbove',
  'moneyIn',
  'moneyOut',
  'fees',
]);

/** Members with a reason that the gateway may have written. */
const REASONS = new Set(['reason', 'rejectionReason', 'disabledReason']);

/** Where the labels of a record's statuses are. */
const STATUSES: Readonly<Record<string, string>> = {
  seller: 'operator.sellerStatus',
  transaction: 'chargeStatus',
  dispute: 'operator.disputeStatus',
  reversal: 'operator.reversalStatus',
  webhook: 'webhookStatus',
  withdrawal: 'withdrawalStatus',
};

function statusLabel(recordType: string, status: string): string | undefined {
  return findText(`${STATUSES[recordType] ?? ''}.${status}.label`) ?? findText(`operator.values.${status}`);
}

/** Formats a value of a record in the user's language. */
export function formatValue(recordType: string, member: string, value: unknown): string {
  if (value === undefined || value === null) return '—';
  if (typeof value === 'boolean') return findText(value ? 'common.yes' : 'common.no') ?? String(value);
  const name = member.slice(member.lastIndexOf('.') + 1);
  if (typeof value === 'number') return CENTS.has(name) ? formatMoney(value) : formatNumber(value);
  if (typeof value === 'string') {
    if (REASONS.has(name)) return findText(`operator.values.${value}`) ?? detailLabel(value);
    if (name === 'status') return statusLabel(recordType, value) ?? value;
    return findText(`${name === 'role' ? 'role' : 'operator.values'}.${value}`) ?? value;
  }
  if (Array.isArray(value)) return value.map((one) => formatValue(recordType, '', one)).join(', ');
  return JSON.stringify(value);
}
