import i18next from 'i18next';

import { findText } from '../../i18n/i18n.ts';

/** Labels from a table of texts; unknown values are returned unchanged. */
const labels =
  (table: string) =>
  (value: string): string =>
    findText(`operator.${table}.${value}`) ?? value;

export const originLabel = (origin: string): string => findText(`method.${origin}`) ?? origin;
export const roleLabel = (role: string): string => findText(`role.${role}`) ?? role;
export const actionLabel = labels('actions');
export const recordTypeLabel = labels('recordTypes');
export const fieldLabel = labels('fields');
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
  [/^payments at (\S+) \(returned\)$/, 'returned'],
  [/^registration of callbacks at (\S+)$/, 'callbacks'],
] as const;

export function jobLabel(name: string): string {
  for (const [pattern, key] of PROVIDER_JOBS) {
    const provider = pattern.exec(name)?.[1];
    if (provider !== undefined) return i18next.t(`operator.system.providerJobs.${key}`, { provider });
  }
  return findText(`operator.system.jobs.${name}`) ?? name;
}
