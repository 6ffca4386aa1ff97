import i18next from 'i18next';

import { findText } from '../../i18n/find-text.ts';
import { INSTALLMENT_FIELDS } from '../../../../src/sellers/fees/schedule.ts';

const INSTALLMENTS: readonly string[] = INSTALLMENT_FIELDS;

/** Labels from a table of texts; unknown values are returned unchanged. */
const labels =
  (table: string) =>
  (value: string): string =>
    findText(`operator.${table}.${value}`) ?? value;

export const originLabel = (origin: string): string => findText(`method.${origin}`) ?? origin;
/** What the destination of a withdrawal is: the type of its Pix key, or its network. */
export const destinationKind = ({
  pixKeyType,
  cryptoNetwork,
}: {
  readonly pixKeyType: string | null;
  readonly cryptoNetwork: string | null;
}): string | null =>
  pixKeyType === null ? cryptoNetwork : (findText(`withdrawals.keyTypes.${pixKeyType}`) ?? pixKeyType);
export const roleLabel = (role: string): string => findText(`role.${role}`) ?? role;
export const actionLabel = labels('actions');
export const recordTypeLabel = labels('recordTypes');
const memberLabel = labels('fields');
/** The label of a member of a record, or of the number of installments that a fee is for. */
export function fieldLabel(name: string): string {
  const installments = INSTALLMENTS.indexOf(name) + 1;
  return installments === 0 ? memberLabel(name) : i18next.t('fees.times', { count: installments });
}
export const providerEventKindLabel = labels('providerEventKinds');
export const reversalReasonLabel = labels('reversalReasons');
export const differenceLabel = labels('differenceKinds');
export const discrepancyLabel = labels('discrepancyKinds');
export const settlementTypeLabel = labels('settlementTypes');
export const lineKindLabel = labels('lineKinds');
export const accountLabel = labels('accounts');
export const ledgerPartLabel = labels('ledgerParts');
export const actorLabel = labels('actors');

/** Job names of external providers start with the provider's name. */
const PROVIDER_JOBS = [
  [/^payments at (\S+) \(pix\)$/, 'pix'],
  [/^payment verification at (\S+)$/, 'verification'],
  [/^payments at (\S+) \(returned\)$/, 'returned'],
  [/^registration of callbacks at (\S+)$/, 'callbacks'],
  [/^recurring charges at (\S+)$/, 'recurring'],
] as const;

export function jobLabel(name: string): string {
  for (const [pattern, key] of PROVIDER_JOBS) {
    const provider = pattern.exec(name)?.[1];
    if (provider !== undefined) return i18next.t(`operator.system.providerJobs.${key}`, { provider });
  }
  return findText(`operator.system.jobs.${name}`) ?? name;
}
