import { Type, type Static } from 'typebox';

import { cvvMember, savedCardMembers, yearRule } from '#payments/card-tokens/schema.ts';
import { nullable } from '#platform/http/envelope.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { intervalMember, invoiceStatusMember, methodMember, statusMember } from '#subscriptions/schema.ts';
import { publicSeller } from './schema.ts';

const PayerCardMembers = Type.Object(
  { ...savedCardMembers, cvv: cvvMember },
  { title: 'ChangeCardRequest', description: 'The new card.' },
);
export const payerCardBody = withCrossFieldRules(PayerCardMembers, [yearRule]);
export type PayerCardBody = Static<typeof PayerCardMembers>;

const day = (description: string) => Type.String({ description });

const card = Type.Object(
  {
    brand: nullable(Type.String({ description: 'Card brand, such as VISA.' })),
    lastFour: Type.String({ description: 'Last four digits of the number.' }),
    expirationMonth: Type.Integer({ description: 'Month, from 1 to 12.' }),
    expirationYear: Type.Integer({ description: 'Year, four digits.' }),
  },
  { title: 'PublicSubscriptionCard', description: 'The card that is charged; null for other methods.' },
);

const invoice = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the cycle, from 1.' }),
    dueDate: day('The day of the cycle, in São Paulo.'),
    amount: Type.Integer({ description: 'Cents.' }),
    status: invoiceStatusMember,
    paymentUrl: nullable(Type.String({ description: 'Page on which an unpaid boleto or Pix can be paid.' })),
  },
  { title: 'PublicInvoice', description: 'An invoice, as its payer sees it.' },
);

export const PublicSubscriptionSchema = Type.Object(
  {
    status: statusMember,
    description: nullable(Type.String({ description: 'What is sold.' })),
    amount: Type.Integer({ description: 'Amount of each cycle from the next one on, in cents.' }),
    method: methodMember,
    interval: intervalMember,
    startDate: day('The day of the first cycle, in São Paulo.'),
    cycles: nullable(
      Type.Integer({ description: 'Number of cycles after which it ends; null if it does not end.' }),
    ),
    nextChargeDate: nullable(day('The day of the next cycle; null if there is none.')),
    card: nullable(card),
    qrCode: nullable(
      Type.String({
        description:
          'The BR Code with which the payer authorizes Pix Automático; null unless the subscription is ' +
          'PENDING and has a code.',
      }),
    ),
    invoices: Type.Array(invoice, { description: 'The latest invoices, newest first, at most 12.' }),
    seller: publicSeller,
  },
  { title: 'PublicSubscription', description: 'A subscription, as its payer sees it.' },
);
