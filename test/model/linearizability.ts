import { createHash } from 'node:crypto';
import { isRecord } from '#platform/kit/records.ts';

import type { Command } from './commands.ts';
import { dueSteps, type DueStep } from './due-work.ts';
import { step } from './rules.ts';
import type { CommandResult } from './answers.ts';
import { originOf, type State } from './state.ts';

/**
 * The states that concurrent commands can have led to: some order gives every command the answer it
 * got, with due steps in between. None if no order explains the answers.
 *
 * Nodes notice a move of the clock, and new fees, one after another: a command after it may still
 * be decided by the time or the fees before it.
 */
export function explain(
  starts: readonly State[],
  results: readonly CommandResult[],
): { readonly ends: readonly State[]; readonly visited: number } {
  const ends = new Map<string, State>();
  const seen = new Set<string>();
  for (const start of starts) visit(start, results, start);
  return { ends: [...ends.values()], visited: seen.size };

  function visit(state: State, left: readonly CommandResult[], before: State): void {
    const id = createHash('sha1').update(JSON.stringify(state, sortMembers)).digest('base64');
    const node = `${left.map((one) => results.indexOf(one)).join()} ${starts.indexOf(before)} ${id}`;
    if (seen.has(node)) return;
    seen.add(node);
    const due = dueSteps(state);
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
}

function stepsOf(
  state: State,
  { command, observed, response }: CommandResult,
  before: State,
): readonly State[] {
  if (command.kind === 'tick' || command.kind === 'terms') return [step(state, command, observed).state];
  const times = [...new Set([state.now, before.now])];
  const allTerms = [...new Set([state.terms, before.terms])];
  const views = times.flatMap((now) => allTerms.map((terms) => ({ ...state, now, terms })));
  return views.flatMap((view) => {
    const outcome = step(view, command, observed);
    if (!outcome.responses.includes(response)) return [];
    return [{ ...outcome.state, now: state.now, terms: state.terms }];
  });
}

/** Equal states have equal texts, whatever the order in which their records were made. */
const sortMembers = (_name: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Whether the order of the two matters. */
function conflicts(state: State, due: DueStep, command: Command): boolean {
  switch (command.kind) {
    case 'tick':
    case 'terms':
    case 'ship':
      return false;
    case 'withdraw':
      return due.origin === command.origin;
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
    case 'payoutLine':
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
    case 'erase':
    case 'boletoLine':
      return due.records.includes(command.charge);
    case 'decide': {
      const line = state.lines[command.line]?.command;
      const record = line?.kind === 'boletoLine' ? line.charge : line?.withdrawal;
      return record === undefined || due.records.includes(record);
    }
  }
}
