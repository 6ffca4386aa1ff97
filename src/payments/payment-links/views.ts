import type { Static } from 'typebox';

import { linkStatus, type PaymentLink } from './link.ts';
import type { LinkSchema } from './schema.ts';

export type LinkView = Static<typeof LinkSchema>;

/** The part of a link that payers see, too. */
export const viewPublicMembers = (link: PaymentLink, publicUrl: string, now: Date) => ({
  code: link.code,
  url: `${publicUrl}/pay/${link.code}`,
  title: link.title,
  description: link.description,
  amount: link.amount,
  minAmount: link.minAmount,
  maxAmount: link.maxAmount,
  methods: [...link.methods],
  maxInstallments: link.maxInstallments,
  subscription: link.subscription,
  status: linkStatus(link, now),
  expiresAt: link.expiresAt?.toISOString() ?? null,
  successUrl: link.successUrl,
});

export const viewLink = (link: PaymentLink, publicUrl: string, now: Date): LinkView => ({
  id: link.id,
  ...viewPublicMembers(link, publicUrl, now),
  maxPayments: link.maxPayments,
  paymentsCount: link.paymentsCount,
  paidAmount: link.paidAmount,
  customerId: link.customerId,
  externalRef: link.externalRef,
  metadata: link.metadata,
  postbackUrl: link.postbackUrl,
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});
