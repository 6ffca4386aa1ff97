import { lookUp } from '../../words/i18n.ts';
import { sayReason } from '../../words/server-texts.ts';
import { originLabel, providerEventKindLabel } from './labels.ts';
import type { pt } from '../words/pt.ts';

const ID = '([0-9a-f-]{36})';

/** The gateway's own explanations, with their variable parts by name. */
const DETAILS: readonly (readonly [RegExp, keyof typeof pt.details])[] = [
  [/^to be returned to the payer$/, 'toBeReversed'],
  [/^(?<from>[A-Z_]+) to (?<to>[A-Z_]+)$/, 'notAllowed'],
  [/^no such (record|charge|withdrawal)$/, 'noRecord'],
  [new RegExp(`^told before as (?<kind>\\w+) of (?<id>${ID})$`), 'eventIdReused'],
  [/^told before (as|of) /, 'alreadyReported'],
  [/^(used|wrong-amount|insufficient|nothing)$/, 'notApplicable'],
  [/^of another amount or currency$/, 'otherAmount'],
  [/^of another merchant account$/, 'otherMerchant'],
  [/^nobody ordered this here$|by no order of this gateway$/, 'notRequested'],
  [/^captured before, and failed since$/, 'captureFailed'],
  [/^money that was to be sent back was not$/, 'reversalFailed'],
  [/^the dispute had been lost$/, 'disputeAlreadyLost'],
  [/^a dispute that fits no paid charge: /, 'disputeWithoutPayment'],
  [/^in a form that is not known: ask the provider what it is$/, 'malformedEvent'],
  [/^(taken )?of a payment that paid no charge: (?<id>\S+)$/, 'medWithoutPayment'],
  [/^(taken|a request|accepted), and the charge is (?<status>[A-Z_]+)$/, 'medNotAllowed'],
  [/^(accepted in part|denied), and .*: settle it by hand$/, 'medManual'],
  [/^refused: (?<reason>.+)$/, 'refused'],
  [/^no outcome of any call: ask the provider/, 'noOutcome'],
  [/^nothing is set up to send money back through (?<provider>\S+)$/, 'noReverser'],
  [/^(?<provider>\S+) cannot send back what was paid by (?<method>\w+)$/, 'reverserUnsupported'],
  [/^is (?<status>[A-Z_]+)$/, 'currentStatus'],
  [/^the charge had ended(: the money goes back to the payer)?$/, 'transactionFinal'],
  [/^another amount than the charge’s: the money goes back to the payer$/, 'amountReversed'],
  [/^a payment of nothing$/, 'zeroPayment'],
  [/^the (charge|withdrawal) cannot go from (?<from>[A-Z_]+) to (?<to>[A-Z_]+)$/, 'notAllowed'],
  [/^the bank tells of (?<reported>\d+), ordered were (?<ordered>\d+): ask the bank$/, 'payoutAmount'],
  [/^money under a movement without a meaning here: ask the bank$/, 'unknownMovement'],
  [/^ask the bank what became of it$/, 'payoutUnknown'],
  [/^of another agreement$/, 'otherAgreement'],
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
  [
    /^(?<method>\w+) charges that are (?<status>\w+) are counted as (?<stored>\d+), there are (?<computed>\d+)$/,
    'count',
  ],
];

/** A part of an explanation, by its name in the pattern. */
function partLabel(name: string, value: string): string {
  if (name === 'reason') return sayReason(value);
  if (name === 'kind') return providerEventKindLabel(value);
  if (name === 'method' || name === 'origin') return originLabel(value);
  if (name === 'from' || name === 'to' || name === 'status') {
    return lookUp(`chargeStatus.${value}.word`) ?? lookUp(`withdrawalStatus.${value}.word`) ?? value;
  }
  return value;
}

/** An explanation of the gateway in the reader's language. Text that is not listed here may be a reason that sellers see, too. */
export function detailLabel(text: string): string {
  for (const [pattern, key] of DETAILS) {
    const match = pattern.exec(text);
    // The parts of a match have no static names, which typed interpolation would need.
    if (match !== null) {
      return (lookUp(`operator.details.${key}`) ?? text).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
        partLabel(name, match.groups?.[name] ?? ''),
      );
    }
  }
  return sayReason(text);
}
