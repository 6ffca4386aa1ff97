import type { Outcome } from './commands.ts';
import { withCharge, type Charge, type State } from './state.ts';

/** Erasure of payers. It moves no money; a payer that is still needed is kept. */

export function erasePayer(state: State, name: string): Outcome {
  const charge = state.charges[name];
  if (charge === undefined) throw new Error(`no such record in the model: ${name}`);
  // A payer that was erased before is not found.
  if (charge.isPayerErased) return { state, responses: ['200 erased 0, kept none'] };
  const reason = reasonToKeep(charge);
  if (reason !== undefined) return { state, responses: [`200 erased 0, kept ${reason}`] };
  return {
    state: withCharge(state, name, { ...charge, isPayerErased: true }),
    responses: ['200 erased 1, kept none'],
  };
}

function reasonToKeep({ status, boleto }: Charge): string | undefined {
  if (boleto !== null) {
    // A boleto names its payer while it can be paid, and so does a file that the bank still gets.
    const isOpen = ['PENDING', 'WAITING_PAYMENT', 'PROCESSING'].includes(status);
    if (isOpen || boleto.stage === 'TO_SHIP' || boleto.stage === 'WRITING_OFF') return 'BOLETO_OPEN';
  }
  return status === 'DISPUTE' ? 'DISPUTED' : undefined;
}
