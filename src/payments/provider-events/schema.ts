import { Type } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { PROVIDER_EVENT_OUTCOMES } from './provider-event.ts';

export const ProviderEventSchema = Type.Object(
  {
    id: recordId('The id of the event.'),
    outcome: Type.Enum([...PROVIDER_EVENT_OUTCOMES], {
      description:
        'What the event changed. The payment of a LATE, DUPLICATE or WRONG_AMOUNT event is returned to ' +
        'the payer. A REJECTED event does not fit the status of its record and changed nothing. An ' +
        'UNMATCHED event refers to no known record, or differs from what the provider responds when the ' +
        'gateway asks. A PENDING event changes nothing until the provider confirms it.',
    }),
    provider: Type.String({ description: 'The provider that reported it.' }),
    reportId: Type.String({ description: "The provider's id of the event. Each id is applied once." }),
    kind: Type.String({
      description:
        'What the event reports, such as PAYMENT (of a transaction, or the payout of a ' +
        'withdrawal), FAILURE or CHARGEBACK.',
    }),
    sellerId: Type.String({
      description: 'The seller; for an UNMATCHED event, as reported; empty for a PENDING event.',
    }),
    recordId: Type.String({
      description: 'The transaction or withdrawal; for an UNMATCHED or PENDING event, as reported.',
    }),
    amount: nullable(Type.Integer({ description: 'Cents; null if the event reports no money.' })),
    detail: nullable(Type.String({ description: 'Why the event was not applied.' })),
    occurredAt: timestamp('When it happened, according to the provider.'),
    receivedAt: timestamp('When the gateway received it.'),
  },
  { title: 'ProviderEvent', description: 'An event that a provider reported.' },
);
