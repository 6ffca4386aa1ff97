import { randomInt } from 'node:crypto';

import type { Body, WebhookEvent } from '../../sdk/src/index.ts';
import { connect } from './connection.ts';
import { printRecord, printLine, UsageError, type CommonOptions } from './output.ts';
import type { Scenario } from './scenarios/context.ts';
import { APPLICATIONS } from './scenarios/applications.ts';
import { DISPUTES } from './scenarios/disputes.ts';
import { PAYMENT_LINKS } from './scenarios/payment-links.ts';
import { REFUNDS } from './scenarios/refunds.ts';
import { RELEASES } from './scenarios/releases.ts';
import { SELLERS } from './scenarios/sellers.ts';
import { SUBSCRIPTIONS } from './scenarios/subscriptions.ts';
import { TRANSACTIONS } from './scenarios/transactions.ts';
import { WEBHOOKS } from './scenarios/webhooks.ts';
import { WITHDRAWALS } from './scenarios/withdrawals.ts';

export interface TriggerOptions extends CommonOptions {
  readonly amount: number;
  readonly medType: Body<'sandboxClaimByMed'>['type'];
}

/** The scenario of each event and status. The records are of a sample payer. */
const SCENARIOS = {
  ...TRANSACTIONS,
  ...REFUNDS,
  ...RELEASES,
  ...DISPUTES,
  ...WITHDRAWALS,
  ...SUBSCRIPTIONS,
  ...PAYMENT_LINKS,
  ...WEBHOOKS,
  ...APPLICATIONS,
  ...SELLERS,
};

/** The scenario that simulates each event of webhooks. */
const SCENARIO_OF_EVENT: Readonly<Record<WebhookEvent['event'], keyof typeof SCENARIOS>> = {
  TRANSACTION_UPDATED: 'transaction.paid',
  WITHDRAWAL_UPDATED: 'withdrawal.created',
  DISPUTE_UPDATED: 'dispute.opened',
  SUBSCRIPTION_UPDATED: 'subscription.active',
  SUBSCRIPTION_CARD_REQUIRED: 'subscription.card_required',
  SUBSCRIPTION_INVOICE_UPDATED: 'subscription_invoice.created',
  PING: 'ping',
};

const scenarios: ReadonlyMap<string, Scenario> = new Map(Object.entries(SCENARIOS));
const scenarioOfEvent: ReadonlyMap<string, string> = new Map(Object.entries(SCENARIO_OF_EVENT));

export const eventNames = (): readonly string[] => [
  ...scenarioOfEvent.keys(),
  ...Array.from(scenarios.keys()).filter((name) => name !== 'ping'),
];

/** Throws a UsageError if there is no such event. */
export function findScenario(event: string): Scenario {
  const scenario = scenarios.get(scenarioOfEvent.get(event.toUpperCase()) ?? event.toLowerCase());
  if (scenario === undefined)
    throw new UsageError(`unknown event ${event}: run vereda trigger to list all events`);
  return scenario;
}

/** Simulates an event in the sandbox and prints the record that it is about. */
export async function trigger(event: string | undefined, options: TriggerOptions): Promise<void> {
  if (event === undefined) {
    if (options.json === true) printRecord(eventNames(), options);
    else for (const name of eventNames()) printLine(name);
    return;
  }
  const scenario = findScenario(event);
  const vereda = await connect(options);
  const { medType } = options;
  const amount = options.amount + randomInt(100);
  printRecord(await scenario({ vereda, amount, medType, options }), options);
}
