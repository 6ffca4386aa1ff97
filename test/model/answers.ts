import type { ApiResponse } from '#test/support/client.ts';
import { chargeResponse, type Command, type ObservedTimes } from './commands.ts';

export interface CommandResult {
  readonly command: Command;
  readonly observed: ObservedTimes;
  readonly response: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON
export const chargeShown = (data: any): string =>
  chargeResponse(data.status, data.amount, data.feeAmount, data.refundedAmount);

/** An answer of the API in terms of the model. */
export function answerOf({ status, body, text }: ApiResponse, command: Command): string {
  if (status === 422) return `422 ${body.message}`;
  if (status >= 300) return `${status} ${text}`;
  const { data } = body;
  switch (command.kind) {
    case 'decide':
      return `${status} ${data.outcome} ${data.decision}`;
    case 'erase':
      return `${status} erased ${data.erased}, kept ${data.kept[0]?.reason ?? 'none'}`;
    case 'appeal':
      return `${status} ${data.data[0].status} of ${data.data[0].amount}`;
    case 'dispute':
    case 'resolve':
      return `${status} ${data.status} of ${data.amount}`;
    case 'withdraw':
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
      return `${status} ${data.status} of ${data.amount}, fee ${data.feeAmount}`;
    case 'create':
    case 'pay':
    case 'fail':
    case 'refuse':
    case 'processing':
    case 'cancel':
    case 'void':
    case 'chargeback':
    case 'capture':
    case 'refund':
    case 'boletoLine':
    case 'payoutLine':
    case 'terms':
    case 'ship':
    case 'tick':
      return `${status} ${chargeShown(data)}`;
  }
}

const time = (text: unknown): number | undefined => (typeof text === 'string' ? Date.parse(text) : undefined);

export function observedTimesOf({ status, body }: ApiResponse, command: Command): ObservedTimes {
  if (status >= 300 || ['appeal', 'decide', 'erase'].includes(command.kind)) return {};
  const { data } = body;
  const [createdAt, paidAt] = [data.createdAt, data.paidAt].map(time);
  return {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(paidAt === undefined ? {} : { paidAt }),
  };
}
