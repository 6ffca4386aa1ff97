import { findFileRule } from '../../i18n/file-rules.ts';
import { formatForeignMoney, formatMoney } from '../../i18n/format.ts';
import { findText } from '../../i18n/find-text.ts';
import { formatFullDay } from '../reconciliation/format-day.ts';
import { translateReason } from '../../i18n/reasons.ts';
import { accountLabel, ledgerPartLabel, originLabel, providerEventKindLabel } from './labels.ts';
import type { pt } from '../i18n/pt.ts';

/** Explanations that the gateway writes, with named variable parts. */
const DETAILS: readonly (readonly [RegExp, keyof typeof pt.details])[] = [
  [/^to be returned to the payer$/, 'toBeReversed'],
  [/^(?<from>[A-Z_]+) to (?<to>[A-Z_]+)$/, 'notAllowed'],
  [/^no such (record|transaction|withdrawal)$/, 'noRecord'],
  [/^already reported as (?<kind>\w+) of (?<id>[0-9a-f-]{36})$/, 'eventIdReused'],
  [/^already reported$/, 'lineRepeated'],
  [/^already reported (as|for) /, 'alreadyReported'],
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
  [/^accepted, but (?<debited>\d+) cents were debited$/, 'medDebited'],
  [/^(accepted in part|denied), but .*: settle it manually$/, 'medManual'],
  [/^refused: (?:(?:refused|not carried out) by the provider: )?(?<reason>.+)$/, 'refused'],
  [/^outcome unknown: ask the provider/, 'noOutcome'],
  [/^no provider is configured to return payments through (?<provider>\S+)$/, 'noReverser'],
  [/^(?<provider>\S+) cannot return (?<method>\w+) payments$/, 'reverserUnsupported'],
  [/^is REGISTERED$/, 'boletoRegistered'],
  [/^is REJECTED$/, 'boletoRejected'],
  [/^the transaction had already ended(: the payment is returned to the payer)?$/, 'transactionFinal'],
  [/^the amount differs from the transaction: the payment is returned to the payer$/, 'amountReversed'],
  [/^the amount is zero$/, 'zeroPayment'],
  [/^the transaction is paid already: the payment is returned to the payer$/, 'secondPayment'],
  [/^the date (?<date>[0-9-]+) lies in the future$/, 'futureDate'],
  [/^processing failed: accept it to try again$/, 'lineFailed'],
  [/^the bank had reported it as paid: ask the bank$/, 'reportedPaid'],
  [/^the bank had rejected it before: write it off at the bank$/, 'registeredAfterRejection'],
  [/^the (transaction|withdrawal) cannot go from (?<from>[A-Z_]+) to (?<to>[A-Z_]+)$/, 'notAllowed'],
  [/^the bank reported (?<reported>\d+) instead of (?<ordered>\d+): ask the bank$/, 'payoutAmount'],
  [/^payment with an unknown movement code: ask the bank$/, 'unknownMovement'],
  [/^outcome unknown: ask the bank$/, 'payoutUnknown'],
  [/^You disabled it\.$/, 'disabledBySeller'],
  [
    /^(?<account>\w+) balance of origin (?<origin>\w+) is (?<stored>-?\d+), its entries sum to (?<computed>-?\d+)$/,
    'balance',
  ],
  [/^transaction (?<id>\S+): (?<part>.+) should be (?<expected>\S+) and is (?<booked>\S+)$/, 'transaction'],
  [/^withdrawal (?<id>\S+) is unknown, its entries sum to /, 'withdrawalMissing'],
  [/^withdrawal (?<id>\S+) is (?<status>\w+), its entries sum to /, 'withdrawal'],
  [/^the chain covers (?<chained>\d+) entries and the wallet counts (?<booked>\d+)$/, 'chainLength'],
  [/^chain entry (?<number>\d+) is missing$/, 'chainMissing'],
  [/^the exported head (?<number>\d+) is not part of the chain$/, 'headMissing'],
  [/^chain entry (?<number>\d+) is not what the gateway wrote$/, 'chainForged'],
  [/^an entry covered by chain entry (?<number>\d+) was changed$/, 'chainChanged'],
  [/^chain entry (?<number>\d+) covers (?<covered>\d+) entries and there are (?<found>\d+)$/, 'chainCount'],
  [/^chain entry (?<number>\d+) is the last one and was made with a key/, 'chainOldKey'],
  [/^entry (?<id>\S+) was not booked by the gateway$/, 'entryUnproven'],
  [/^entry (?<id>\S+) does not follow from the entry before it$/, 'entryOutOfOrder'],
  [/^entry (?<id>\S+) is missing$/, 'entryMissing'],
  [/^entry (?<id>\S+) was changed$/, 'entryChanged'],
  [/^entry (?<id>\S+) (?<cause>[A-Z_]+) cannot go from \w+ to \w+$/, 'entryAccounts'],
  [/^entry (?<id>\S+) has position (?<number>\d+) of (?<origin>\w+) instead of /, 'entryPosition'],
  [/^entry (?<id>\S+) records -?\d+ available and -?\d+ blocked of (?<origin>\w+), /, 'entryBalances'],
  [
    /^entry \S+ of (?<origin>\w+) should be followed by others: the wallet counts (?<booked>\d+) entries and there are (?<found>\d+)$/,
    'entryCount',
  ],
  [/^the entries of record (?<id>\S+) contradict each other$/, 'entriesContradict'],
  [/^an entry is the copy of another one$/, 'entryCopied'],
  [
    /^(?<method>\w+) charges that are (?<status>\w+) are counted as (?<stored>\d+), there are (?<computed>\d+)$/,
    'count',
  ],
  [
    /^(?<method>\w+) charges of (?<date>\S+) without payment are counted as (?<stored>\d+), there are (?<computed>\d+)$/,
    'unpaidCount',
  ],
];

/** Explanations with amounts in cents, and the names of those amounts. */
const CENTS: Partial<Record<keyof typeof pt.details, readonly string[]>> = {
  balance: ['stored', 'computed'],
  transaction: ['expected', 'booked'],
  payoutAmount: ['reported', 'ordered'],
  medDebited: ['debited'],
};
/** Parts of a transaction that are counts. */
const COUNTS = /: (paidAt|open disputes|provider event) should be /;

/** `R$ 10,50` of `1050 BRL`. Other text is unchanged. */
function formatAmount(text: string): string {
  const [, amount, currency] = /^(\d+) ([A-Z]{3})$/.exec(text) ?? [];
  if (amount === undefined || currency === undefined) return text;
  return currency === 'BRL' ? formatMoney(Number(amount)) : formatForeignMoney(Number(amount), currency);
}

/** Formats a variable part, by its name in the pattern. */
function partLabel(name: string, value: string): string {
  if (name === 'account') return accountLabel(value);
  if (name === 'amount') return formatAmount(value);
  if (name === 'cause') return findText(`cause.${value}`) ?? value;
  if (name === 'part') return ledgerPartLabel(value);
  if (name === 'reason') return translateReason(value);
  if (name === 'kind') return providerEventKindLabel(value);
  if (name === 'method' || name === 'origin') return originLabel(value);
  if (name === 'date') return formatFullDay(value);
  return value;
}

/** Parts that are statuses. */
const STATUSES = new Set(['from', 'to', 'status']);

/** Labels depend on the record: charges and withdrawals share the names of statuses. */
function statusPartLabel(text: string, status: string): string {
  const tables = ['chargeStatus', 'operator.withdrawalStatus'];
  if (/^(the )?withdrawal /.test(text)) tables.reverse();
  return tables.map((table) => findText(`${table}.${status}.label`)).find(Boolean) ?? status;
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
        if (STATUSES.has(name)) return statusPartLabel(text, value);
        return cents.includes(name) ? formatMoney(Number(value)) : partLabel(name, value);
      });
    }
  }
  return findFileRule(text) ?? translateReason(text);
}
