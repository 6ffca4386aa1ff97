import { createHash } from 'node:crypto';

import type { Command } from './commands.ts';
import { dueSteps, type DueStep } from './due-work.ts';
import { step } from './rules.ts';
import type { CommandResult } from './driver.ts';
import { originOf, type State, type Terms } from './state.ts';

/**
 * The states that concurrent commands can have led to: some order gives every command the answer it got, with due steps
 * in between. None if no order explains the answers.
 *
 * A tick is a move of the clock. Nodes notice it one after another, so a command after the tick may still be judged by
 * the time before it.
 */
export function explain(
  starts: readonly State[],
  results: readonly CommandResult[],
  terms: Terms,
): { readonly ends: readonly State[]; readonly visited: number } {
  const ends = new Map<string, State>();
  const seen = new Set<string>();
  for (const start of starts) visit(start, results, start.now);
  return { ends: [...ends.values()], visited: seen.size };

  function visit(state: State, left: readonly CommandResult[], before: number): void {
    const id = createHash('sha1').update(JSON.stringify(state)).digest('base64');
    const node = `${left.map((one) => results.indexOf(one)).join()} ${before} ${id}`;
    if (seen.has(node)) return;
    seen.add(node);
    const due = dueSteps(state, terms);
    if (left.length === 0 && due.length === 0) ends.set(id, state);
    // A due step that conflicts with no remaining command can go first: its order does not matter.
    const free = due.find((one) => !left.some(({ command }) => conflicts(state, one, command)));
    if (free !== undefined) {
      visit(free.state, left, before);
      return;
    }
    for (const next of due) visit(next.state, left, before);
    for (const [index, one] of left.entries()) {
      const rest = left.toSpliced(index, 1);
      for (const after of stepsOf(state, one, before)) visit(after, rest, before);
    }
  }

  function stepsOf(
    state: State,
    { command, observed, answer }: CommandResult,
    before: number,
  ): readonly State[] {
    const times = command.kind === 'tick' ? [state.now] : [...new Set([state.now, before])];
    return times.flatMap((now) => {
      const outcome = step({ ...state, now }, command, terms, observed);
      if (!outcome.answers.includes(answer)) return [];
      return [command.kind === 'tick' ? outcome.state : { ...outcome.state, now: state.now }];
    });
  }
}

/** Whether the order of the two matters. */
function conflicts(state: State, due: DueStep, command: Command): boolean {
  switch (command.kind) {
    case 'tick':
      return false;
    case 'withdraw':
      return due.origin === command.origin;
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
      return due.records.includes(command.withdrawal);
    case 'appeal':
    case 'resolve': {
      const charge = state.disputes[command.dispute]?.charge ?? '';
      return due.records.includes(command.dispute) || due.records.includes(charge);
    }
    case 'refund': {
      const { method } = state.charges[command.charge] ?? { method: 'PIX' };
      return due.records.includes(command.charge) || due.origin === originOf(method);
    }
    case 'create':
    case 'pay':
    case 'fail':
    case 'refuse':
    case 'processing':
    case 'cancel':
    case 'void':
    case 'chargeback':
    case 'capture':
    case 'dispute':
      return due.records.includes(command.charge);
  }
}
