import { METHOD_LABELS } from '#accounting/ledger/labels-pt.ts';
import { AMOUNT_MEMBERS } from '#audit/amounts.ts';
import { MEMBER_LABELS, VALUE_LABELS } from '#audit/labels-pt.ts';
import type { AuditEntry } from '#audit/service.ts';
import { reasonInPortuguese } from '#notifications/reasons-pt.ts';
import { STATUS_LABELS as APPLICATION } from '#onboarding/labels-pt.ts';
import { STATUS_LABELS as DISPUTE } from '#payments/disputes/labels-pt.ts';
import { STATUS_LABELS as LINK } from '#payments/payment-links/labels-pt.ts';
import { STATUS_LABELS as TRANSACTION } from '#payments/transactions/labels-pt.ts';
import { STATUS_LABELS as REVERSAL } from '#payouts/reversals/labels-pt.ts';
import { OPERATOR_STATUS_LABELS as WITHDRAWAL } from '#payouts/withdrawals/labels-pt.ts';
import { writeDay, writeLocalTime } from '#platform/http/csv-line.ts';
import { ROLE_LABELS } from '#platform/kit/labels-pt.ts';
import { INSTALLMENT_FIELDS } from '#sellers/fees/schedule.ts';
import { STATUS_LABELS as SELLER } from '#sellers/labels-pt.ts';
import { INVOICE_STATUS_LABELS, STATUS_LABELS as SUBSCRIPTION } from '#subscriptions/labels-pt.ts';
import { STATUS_LABELS as WEBHOOK } from '#webhooks/labels-pt.ts';
import { isRecord } from '#platform/kit/records.ts';
import { ACTION_LABELS as APPROVALS } from './approvals/labels-pt.ts';

type Members = Readonly<Record<string, unknown>>;
type Labels = Readonly<Record<string, string>>;

const STATUSES: Readonly<Record<string, Labels>> = {
  seller: SELLER,
  transaction: TRANSACTION,
  dispute: DISPUTE,
  reversal: REVERSAL,
  webhook: WEBHOOK,
  withdrawal: WITHDRAWAL,
  application: APPLICATION,
  invoice: INVOICE_STATUS_LABELS,
  'payment-link': LINK,
  subscription: SUBSCRIPTION,
};

/** Members that hold cents, also the parts of a fee. */
const CENTS = new Set<string>([...AMOUNT_MEMBERS, 'fixedPart', 'minimum']);

const INSTALLMENTS: readonly string[] = INSTALLMENT_FIELDS;
const members: Labels = MEMBER_LABELS;
const values: Labels = { ...VALUE_LABELS, ...ROLE_LABELS };
const methods: Labels = METHOD_LABELS;
const approvals: Labels = APPROVALS;
const MONEY = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const NUMBER = new Intl.NumberFormat('pt-BR');
const PERCENT = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 });

const money = (cents: number): string => MONEY.format(cents / 100).replaceAll('\u00A0', ' ');

/** The members of an audit log entry in Portuguese: `Situação: Ativa; Tarifa: R$ 20,00`. */
export function membersInPortuguese({ action, recordType }: AuditEntry, written: Members): string {
  // It is an entry of the subscription, with the status of the invoice.
  const type = action === 'subscription.invoice-retried' ? 'invoice' : recordType;
  return write(type, written, []).join('; ');
}

function write(type: string, written: Members, path: readonly string[]): readonly string[] {
  return Object.entries(written).flatMap(([name, value]) => {
    const labels = [...path, memberLabel(name)];
    if (isRecord(value)) return write(type, value, labels);
    return [`${labels.join(' · ')}: ${writeValue(type, name, value, written['type'])}`];
  });
}

function memberLabel(name: string): string {
  const installments = INSTALLMENTS.indexOf(name) + 1;
  if (installments === 0) return members[name] ?? name;
  return installments === 1 ? 'à vista' : `em ${installments}x`;
}

function writeValue(type: string, name: string, value: unknown, feeType: unknown): string {
  if (value === null || value === undefined) return name === 'twoPersonApprovalAbove' ? 'Desativada' : '—';
  if (name === 'autoApproveUpTo' && value === 0) return 'Desativada';
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (typeof value === 'number') {
    if (CENTS.has(name) || feeType === 'FIXED') return money(value);
    return feeType === 'PERCENTAGE' ? `${PERCENT.format(value / 100)}%` : NUMBER.format(value);
  }
  if (Array.isArray(value)) return value.map((one) => writeValue(type, '', one, undefined)).join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return writeText(type, name, value);
}

function writeText(type: string, name: string, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return writeLocalTime(text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return writeDay(text);
  if (/^(reason|rejectionReason|disabledReason)$/.test(name)) return values[text] ?? reasonInPortuguese(text);
  if (name === 'browser') return text.replace(' on ', ' no ');
  if (name === 'method' || name === 'origin') return methods[text] ?? values[text] ?? members[text] ?? text;
  if (name === 'status') return STATUSES[type]?.[text] ?? values[text] ?? text;
  if (name === 'request') return approvals[text] ?? text;
  return /^(name|email|description|note|displayName)$/.test(name) ? text : (values[text] ?? text);
}
