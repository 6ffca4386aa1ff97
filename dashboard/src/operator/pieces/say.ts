import i18next from 'i18next';

import { lookUp } from '../../words/i18n.ts';

/** Names the API has, as the operator reads them; one that this version does not know is shown as it is. */
const named =
  (words: string) =>
  (name: string): string =>
    lookUp(`operator.${words}.${name}`) ?? name;

export const sayOrigin = (origin: string): string => lookUp(`method.${origin}`) ?? origin;
export const sayAction = named('actions');
export const sayRecordType = named('recordTypes');
export const sayMember = named('members');
export const sayReportKind = named('reportKinds');
export const sayReturnReason = named('returnReasons');
export const sayDifference = named('differenceKinds');
export const saySettlementType = named('settlementTypes');
export const sayLineKind = named('lineKinds');
export const sayActor = named('actors');

const LOOPS_AT = [
  [/^payments at (\S+) \(pix\)$/, 'pix'],
  [/^payments at (\S+) \(returned\)$/, 'returned'],
  [/^registration of callbacks at (\S+)$/, 'callbacks'],
] as const;

/** What a worker does again and again. */
export function sayLoop(name: string): string {
  for (const [pattern, what] of LOOPS_AT) {
    const provider = pattern.exec(name)?.[1];
    if (provider !== undefined) return i18next.t(`operator.system.loopsAt.${what}`, { provider });
  }
  return lookUp(`operator.system.loops.${name}`) ?? name;
}
