import type { Text } from '../../../i18n/texts.ts';
import type { sellers as pt } from '../pt/sellers.ts';

export const sellers: Text<typeof pt> = {
  sellers: {
    title: 'Sellers',
    file: 'sellers.csv',
    new: 'Create seller',
    newIntro: 'The seller starts with the default fees and limits. You can change them later.',
    details: 'Seller details',
    owner: 'Owner',
    name: 'Seller name',
    create: 'Create',
    created: '{{name}} was created',
    search: 'Name or CPF/CNPJ',
    viewAll: 'All',
    viewPending: 'Pending',
    viewSuspended: 'Suspended',
    emptyTitle: 'No sellers yet',
    emptyHint: 'Create the first seller and its owner.',
    balance: 'Balance',
    related: "Seller's records",
    tabs: {
      overview: 'Overview',
      limits: 'Limits',
      fees: 'Fees',
      users: 'Users',
      keys: 'API keys',
    },
    change: {
      activate: {
        do: 'Activate',
        title: 'Activate {{name}}?',
        description: 'The seller can charge, receive and withdraw.',
        done: 'Seller activated',
      },
      suspend: {
        do: 'Suspend',
        title: 'Suspend {{name}}?',
        description:
          "The seller's users and API keys lose access until it is reactivated. Existing charges can " +
          'still be paid.',
        done: 'Seller suspended',
      },
      close: {
        do: 'Close account',
        title: 'Close the account of {{name}}?',
        description: 'The seller can no longer charge or withdraw. Its balance and history are kept.',
        done: 'Account closed',
      },
    },
  },
  limits: {
    decisions: 'Automatic decisions',
    delays: 'Release delays',
    rates: 'API rate limits',
    saved: 'Limits saved',
    disabled: 'Off',
    autoApproveUpTo: 'Automatic approval up to',
    negativeBalanceUpTo: 'Negative balance limit',
    chargebackFee: 'Chargeback fee',
    boletoDelayDays: 'Boleto release (business days)',
    cardDelayDays: 'Card release (days)',
    requestsPerMinute: 'Requests per minute',
    creationsPerMinute: 'Charges per minute',
  },
  limitDescriptions: {
    autoApproveUpTo:
      'Withdrawals of up to this amount in 24 hours need no approval if an earlier withdrawal to the ' +
      'destination was paid or approved and is not another holder’s. Blank: all need approval.',
    negativeBalanceUpTo:
      'Refunds can make the available balance negative by up to this amount plus the fee of the charge.',
    chargebackFee: 'Charged to the seller for each chargeback and each lost card dispute.',
    boletoDelayDays: 'Bank business days after the payment.',
    cardDelayDays:
      'Days from the payment to the release of the first installment, and from each installment to the next.',
    requestsPerMinute:
      'Total of requests with API keys and with access tokens used outside the dashboard. Each user of the ' +
      'dashboard has a separate limit.',
    creationsPerMinute: 'Charges that the seller can create per minute.',
  },
  fees: {
    save: 'Save fees',
    receive: 'The seller receives',
    tooSmall: 'The amount does not cover the fee. Enter a higher amount.',
    saved: 'Fees saved',
    preview: 'The fee calculator already uses these fees. They take effect once saved.',
    description: 'These fees apply to new charges and withdrawals. Existing ones keep their fee.',
    kindOf: 'Fee type: {{name}}',
    fixedPart: 'Fixed part',
    fixedPartOf: 'Fixed part: {{name}}',
    minimum: 'Minimum fee',
    minimumOf: 'Minimum fee: {{name}}',
  },
  people: {
    deleteTitle: 'Delete {{name}}?',
    deleteDescription: 'Access ends immediately on all devices.',
    deleted: 'User deleted',
    none: 'No users yet',
    noneHint: 'Invite the people who need access.',
  },
};
