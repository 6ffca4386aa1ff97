import { AMOUNT_MEMBERS } from '../../../../src/audit/amounts.ts';
import { isRecord } from '../../../../src/platform/kit/records.ts';
import { formatDateTime, formatMoney, formatNumber, formatPercent } from '../../i18n/format.ts';
import { browserLabel, findText, methodLabel } from '../../i18n/find-text.ts';
import { detailLabel } from '../components/details.ts';
import { formatFullDay } from '../reconciliation/format-day.ts';

type Members = Readonly<Record<string, unknown>>;

/** By the type of a fee, which states its unit: cents or basis points. */
const FEE_FORMATS: Readonly<Record<string, (value: number) => string>> = {
  FIXED: formatMoney,
  PERCENTAGE: formatPercent,
};

/** Parts of a fee that are cents, whatever its type. */
const FEE_PARTS = { fixedPart: true, minimum: true };

function withFeeTexts(members: Members): Members {
  const format = FEE_FORMATS[String(members['type'])];
  if (format === undefined) return members;
  const formatOf = (name: string) => (name in FEE_PARTS ? formatMoney : format);
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatOf(name)(value) : value,
    ]),
  );
}

/** Flattens nested members to paths such as `creditCard.type`. */
function flatten(members: Members, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(withFeeTexts(members))) {
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
const CENTS = new Set<string>(AMOUNT_MEMBERS);

/** Members with a reason that the gateway may have written. */
const REASONS = new Set(['reason', 'rejectionReason', 'disabledReason']);

/** Where the labels of a record's statuses are. */
const STATUSES: Readonly<Record<string, string>> = {
  seller: 'operator.sellerStatus',
  transaction: 'chargeStatus',
  dispute: 'operator.disputeStatus',
  reversal: 'operator.reversalStatus',
  webhook: 'webhookStatus',
  withdrawal: 'operator.withdrawalStatus',
  application: 'applicationStatus',
  invoice: 'invoiceStatus',
  'payment-link': 'linkStatus',
  subscription: 'subscriptionStatus',
};

function statusLabel(recordType: string, status: string): string | undefined {
  return findText(`${STATUSES[recordType] ?? ''}.${status}.label`) ?? findText(`operator.values.${status}`);
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const nameOf = (member: string): string => member.slice(member.lastIndexOf('.') + 1);

/** Whether a member holds an amount, which must not be broken across lines. */
export const isAmount = (member: string): boolean => CENTS.has(nameOf(member));

/** Whether a limit is disabled, which an empty value or R$ 0,00 would not show. */
const isOff = (name: string, value: unknown): boolean =>
  (name === 'twoPersonApprovalAbove' && value === null) || (name === 'autoApproveUpTo' && value === 0);

/** Formats a value of a record in the user's language. */
export function formatValue(recordType: string, member: string, value: unknown): string {
  if (isOff(nameOf(member), value)) return findText('operator.limits.disabled') ?? '—';
  if (value === undefined || value === null) return '—';
  if (typeof value === 'boolean') return findText(value ? 'common.yes' : 'common.no') ?? String(value);
  const name = nameOf(member);
  if (typeof value === 'number') return CENTS.has(name) ? formatMoney(value) : formatNumber(value);
  if (typeof value === 'string') {
    if (TIMESTAMP.test(value)) return formatDateTime(value);
    if (DAY.test(value)) return formatFullDay(value);
    if (REASONS.has(name)) return findText(`operator.values.${value}`) ?? detailLabel(value);
    if (name === 'browser') return browserLabel(value);
    if (name === 'method' || name === 'origin')
      return findText(`operator.settings.methods.${value}`) ?? methodLabel(value);
    if (name === 'status') return statusLabel(recordType, value) ?? value;
    if (name === 'request') return findText(`operator.approvals.actions.${value}`) ?? value;
    return findText(`${name === 'role' ? 'role' : 'operator.values'}.${value}`) ?? value;
  }
  if (Array.isArray(value)) return value.map((one) => formatValue(recordType, '', one)).join(', ');
  return JSON.stringify(value);
}
