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
