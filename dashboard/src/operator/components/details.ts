import { formatMoney } from '../../i18n/format.ts';
import { findText } from '../../i18n/i18n.ts';
import { translateReason } from '../../i18n/server-texts.ts';
import { accountLabel, ledgerPartLabel, originLabel, providerEventKindLabel } from './labels.ts';
import type { pt } from '../i18n/pt.ts';

/** Explanations that the gateway writes, with named variable parts. */
const DETAILS: readonly (readonly [RegExp, keyof typeof pt.details])[] = [
  [/^to be returned to the payer$/, 'toBeReversed'],
  [/^(?<from>[A-Z_]+) to (?<to>[A-Z_]+)$/, 'notAllowed'],
  [/^no such (record|transaction|withdrawal)$/, 'noRecord'],
  [/^already reported as (?<kind>\w+) of (?<id>[0-9a-f-]{36})$/, 'eventIdReused'],
  [/^already reported( as| for |$)/, 'alreadyReported'],
  [/^(used|wrong-amount|insufficient|nothing)$/, 'notApplicable'],
  [/^other amount or currency: (?<amount>.+)$/, 'otherAmount'],
  [/^sent for another merchant account$/, 'otherMerchant'],
  [/not requested by this gateway$/, 'notRequested'],
  [/^not confirmed by the provider after (?<attempts>\d+) attempts$/, 'unconfirmed'],
  [/^the provider does not know this payment$/, 'unknownAtProvider'],
  [/^the provider reports (the amount \d+|another txid) for this payment$/, 'contradictsProvider'],
  [/^captured, but failed later$/, 'captureFailed'],
  [/^done, but reported as failed before$/, 'doneAfterFailure'],
  [/^unknown kind of notification$/, 'unknownKind'],
  [/^refused, but the transaction is (?<status>[A-Z_]+)$/, 'refusedAfterPayment'],
  [/^the reversal of the payment failed$/, 'reversalFailed'],
  [/^the dispute was already lost$/, 'disputeAlreadyLost'],
  [/^the dispute matches no paid transaction: /, 'disputeWithoutPayment'],
  [
    /^the amount is refunded: the dispute opens if the refund fails and the status is PAID$/,
    'disputeWaiting',
  ],
  [/^unknown format: ask the provider$/, 'malformedEvent'],
  [/^(debited, but )?the payment belongs to no transaction: (?<id>\S+)$/, 'medWithoutPayment'],
  [/^(debited|dispute requested|accepted), but the transaction is (?<status>[A-Z_]+)$/, 'medNotAllowed'],
  [/^(accepted in part|denied), but .*: settle it manually$/, 'medManual'],
  [/^refused: (?<reason>.+)$/, 'refused'],
  [/^outcome unknown: ask the provider/, 'noOutcome'],
  [/^no provider is configured to return payments through (?<provider>\S+)$/, 'noReverser'],
  [/^(?<provider>\S+) cannot return (?<method>\w+) payments$/, 'reverserUnsupported'],
  [/^is (?<status>[A-Z_]+)$/, 'currentStatus'],
  [/^the transaction had already ended(: the payment is returned to the payer)?$/, 'transactionFinal'],
  [/^the amount differs from the transaction: the payment is returned to the payer$/, 'amountReversed'],
  [/^the amount is zero$/, 'zeroPayment'],
  [/^the transaction is paid already: the payment is returned to the payer$/, 'secondPayment'],
  [/^the date (?<date>[0-9-]+) lies in the future$/, 'futureDate'],
  [/^the bank had reported it as paid: ask the bank$/, 'reportedPaid'],
  [/^the bank had rejected it before: write it off at the bank$/, 'registeredAfterRejection'],
  [/^the (transaction|withdrawal) cannot go from (?<from>[A-Z_]+) to (?<to>[A-Z_]+)$/, 'notAllowed'],
  [/^the bank reported (?<reported>\d+) instead of (?<ordered>\d+): ask the bank$/, 'payoutAmount'],
  [/^payment with an unknown movement code: ask the bank$/, 'unknownMovement'],
  [/^outcome unknown: ask the bank$/, 'payoutUnknown'],
  [/^for another agreement$/, 'otherAgreement'],
  [/^You disabled it\.$/, 'disabledBySeller'],
  [
    /^(?<account>\w+) balance of origin (?<origin>\w+) is (?<stored>-?\d+), its entries sum to (?<computed>-?\d+)$/,
    'balance',
  ],
  [/^transaction (?<id>\S+): (?<part>.+) should be (?<expected>\S+) and is (?<booked>\S+)$/, 'transaction'],
  [/^withdrawal (?<id>\S+) is (?<status>\w+), its entries sum to /, 'withdrawal'],
  [/^the chain covers (?<chained>\d+) entries and the wallet counts (?<booked>\d+)$/, 'chainLength'],
  [/^chain entry (?<number>\d+) is missing$/, 'chainMissing'],
  [/^chain entry (?<number>\d+) is not what the gateway wrote$/, 'chainForged'],
  [/^an entry covered by chain entry (?<number>\d+) was changed$/, 'chainChanged'],
  [/^chain entry (?<number>\d+) covers (?<covered>\d+) entries and there are (?<found>\d+)$/, 'chainCount'],
  [/^chain entry (?<number>\d+) is the last one and was made with a key/, 'chainOldKey'],
  [/^entry (?<id>\S+) was not booked by the gateway$/, 'entryUnproven'],
  [/^entry (?<id>\S+) does not follow from the entry before it$/, 'entryOutOfOrder'],
  [/^entry (?<id>\S+) is missing$/, 'entryMissing'],
  [/^entry (?<id>\S+) was changed$/, 'entryChanged'],
  [/^entry (?<id>\S+) (?<cause>[A-Z_]+) cannot go from \w+ to \w+$/, 'entryAccounts'],
  [/^entry (?<id>\S+) is number (?<number>\d+) of (?<origin>\w+) and stands at /, 'entryPosition'],
  [/^entry (?<id>\S+) says -?\d+ available and -?\d+ blocked of (?<origin>\w+) after it/, 'entryBalances'],
  [
    /^entry \S+ of (?<origin>\w+) should be followed by others: the wallet counts (?<booked>\d+) entries and there are (?<found>\d+)$/,
    'entryCount',
  ],
  [/^the entries of record (?<id>\S+) contradict each other$/, 'entriesContradict'],
  [/^an entry of (?<origin>\w+) is the copy of another one$/, 'entryCopied'],
  [
    /^(?<method>\w+) charges that are (?<status>\w+) are counted as (?<stored>\d+), there are (?<computed>\d+)$/,
    'count',
  ],
];

/** Explanations with amounts in cents, and the names of those amounts. */
const CENTS: Partial<Record<keyof typeof pt.details, readonly string[]>> = {
  balance: ['stored', 'computed'],
  transaction: ['expected', 'booked'],
  payoutAmount: ['reported', 'ordered'],
};
/** Parts of a transaction that are counts. */
const COUNTS = /: (paidAt|open disputes) should be /;

/** Formats a variable part, by its name in the pattern. */
function partLabel(name: string, value: string): string {
  if (name === 'account') return accountLabel(value);
  if (name === 'amount' && /^\d+ BRL$/.test(value)) return formatMoney(Number.parseInt(value, 10));
  if (name === 'cause') return findText(`cause.${value}`) ?? value;
  if (name === 'part') return ledgerPartLabel(value);
  if (name === 'reason') return translateReason(value);
  if (name === 'kind') return providerEventKindLabel(value);
  if (name === 'method' || name === 'origin') return originLabel(value);
  if (name === 'from' || name === 'to' || name === 'status') {
    return findText(`chargeStatus.${value}.label`) ?? findText(`withdrawalStatus.${value}.label`) ?? value;
  }
  return value;
}

/** Translates an explanation of the gateway. Other texts may be reasons that sellers see, too. */
export function detailLabel(text: string): string {
  for (const [pattern, key] of DETAILS) {
    const match = pattern.exec(text);
    // i18next types the interpolation values by key, but these names are dynamic.
    if (match !== null) {
      const cents = COUNTS.test(text) ? [] : (CENTS[key] ?? []);
      return (findText(`operator.details.${key}`) ?? text).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const value = match.groups?.[name] ?? '';
        return cents.includes(name) ? formatMoney(Number(value)) : partLabel(name, value);
      });
    }
  }
  return translateReason(text);
}
