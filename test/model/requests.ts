import { randomUUID } from 'node:crypto';

import { goodWithdrawal } from '#test/support/withdrawals.ts';
import type { Command } from './commands.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

export const CARD = { holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2099, cvv: '123' };

export interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly operator?: boolean;
}

/** The data of earlier records that requests need. */
interface Records {
  idOf(name: string): string;
  emailOf(charge: string): string;
  lineOf(line: string): readonly [file: string, line: number] | undefined;
}

/** The request of a command that is one request. */
export function requestOf(command: Command, records: Records): Request {
  switch (command.kind) {
    case 'create':
      return {
        path: '/transactions',
        body: chargeBody(command, records.emailOf(command.charge)),
        key: randomUUID(),
      };
    case 'pay':
    case 'fail':
    case 'refuse':
    case 'processing':
    case 'chargeback':
      return { path: `/sandbox/transactions/${records.idOf(command.charge)}/${command.kind}` };
    case 'cancel':
    case 'void':
      return { path: `/transactions/${records.idOf(command.charge)}/${command.kind}` };
    case 'capture':
      return {
        path: `/transactions/${records.idOf(command.charge)}/capture`,
        body: amountBody(command.amount),
      };
    case 'refund': {
      const path = `/transactions/${records.idOf(command.charge)}/refund`;
      return { path, body: amountBody(command.amount), key: randomUUID() };
    }
    case 'dispute': {
      const body = { reason: 'not delivered', ...amountBody(command.amount) };
      return { path: `/admin/transactions/${records.idOf(command.charge)}/dispute`, body, operator: true };
    }
    case 'appeal': {
      const body = { disputeId: records.idOf(command.dispute), appealReason: 'here is the receipt' };
      return { path: '/disputes/appeal', body };
    }
    case 'resolve': {
      const path = `/admin/disputes/${records.idOf(command.dispute)}/resolve`;
      return { path, body: { outcome: command.outcome }, operator: true };
    }
    case 'withdraw': {
      const body = goodWithdrawal({ amount: command.amount, withdrawFrom: command.origin });
      return { path: '/withdrawals', body, key: randomUUID() };
    }
    case 'approve':
    case 'reject': {
      const path = `/admin/withdrawals/${records.idOf(command.withdrawal)}/${command.kind}`;
      return { path, operator: true, ...(command.kind === 'reject' ? { body: { reason: 'no' } } : {}) };
    }
    case 'payOut':
    case 'failOut': {
      const name = command.kind === 'payOut' ? 'pay' : 'fail';
      return { path: `/sandbox/withdrawals/${records.idOf(command.withdrawal)}/${name}` };
    }
    case 'decide': {
      const [file, line] = records.lineOf(command.line) ?? [];
      const path = `/admin/cnab/returns/${file}/lines/${line}/decide`;
      return { path, body: { decision: command.decision, note: 'asked the bank' }, operator: true };
    }
    case 'erase':
      return {
        path: '/admin/privacy/erase',
        body: { email: records.emailOf(command.charge) },
        operator: true,
      };
    case 'boletoLine':
    case 'payoutLine':
    case 'terms':
    case 'ship':
    case 'tick':
      throw new Error(`${command.kind} is not one request`);
  }
}

const amountBody = (amount: number | null) => (amount === null ? {} : { amount });

/** The name of the record that a command creates. */
export function recordOf(command: Command): string | undefined {
  if (command.kind === 'create') return command.charge;
  if (command.kind === 'dispute') return command.dispute;
  return command.kind === 'withdraw' ? command.withdrawal : undefined;
}

function chargeBody({ method, amount, ...command }: Extract<Command, { kind: 'create' }>, email: string) {
  const customer = { ...SAMPLE_TRANSACTION.customer, email };
  const common = {
    amount,
    method,
    customer,
    items: [{ title: 'Caneca', amount, quantity: 1, tangible: true }],
  };
  if (method !== 'CREDIT_CARD') return { ...common, expiration: command.expiration };
  const number = command.declined ? '4000000000000002' : '4111111111111111';
  const { installments, capture } = command;
  return { ...common, installments, capture, card: { ...CARD, number } };
}
