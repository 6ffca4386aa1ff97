import i18next from 'i18next';

import { findText, methodLabel } from '../../i18n/find-text.ts';
import { formatMoney } from '../../i18n/format.ts';
import type { RiskConditions } from './queries.ts';

/** Windows that the form offers, in seconds. */
export const WINDOWS = [600, 3_600, 86_400, 604_800, 2_592_000] as const;

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

export function windowLabel(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS[3];
  return i18next.t(`operator.risk.${unit}`, { count: seconds / length });
}

const DEFAULT_NAME = /^Card testing: declines of one (card|document|address)$/;

/** The name of a rule; that of a default rule in the user's language. */
export function ruleName(name: string): string {
  const by = DEFAULT_NAME.exec(name)?.[1];
  return by === undefined ? name : (findText(`operator.risk.defaultNames.${by}`) ?? name);
}

/** The conditions of a rule in words. */
export function summarize(when: RiskConditions): string {
  const { amountAbove, amountBelow, methods, cardCountries, payerPresent, count, sum } = when;
  const t = i18next.t;
  const by = (kind: NonNullable<typeof count>['by']) => t(`operator.riskSignals.same.${kind}`);
  const parts = [
    methods?.map(methodLabel).join(', '),
    amountAbove === undefined
      ? undefined
      : t('operator.risk.amountAbove', { amount: formatMoney(amountAbove) }),
    amountBelow === undefined
      ? undefined
      : t('operator.risk.amountBelow', { amount: formatMoney(amountBelow) }),
    cardCountries === undefined
      ? undefined
      : t('operator.risk.countries', { countries: cardCountries.join(', ') }),
    payerPresent === true ? t('operator.risk.payerPresent') : undefined,
    count === undefined
      ? undefined
      : t(`operator.risk.counted.${count.of}`, {
          count: count.above,
          by: by(count.by),
          window: windowLabel(count.windowSeconds),
        }),
    sum === undefined
      ? undefined
      : t('operator.risk.summed', {
          amount: formatMoney(sum.above),
          by: by(sum.by),
          window: windowLabel(sum.windowSeconds),
        }),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? t('operator.risk.everyCharge') : parts.join(' · ');
}
