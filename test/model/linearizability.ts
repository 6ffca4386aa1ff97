import { createHash } from 'node:crypto';

import type { Asked } from './commands.ts';
import { dueSteps, type Due } from './due-work.ts';
import { step } from './rules.ts';
import type { Played } from './driver.ts';
import { originOf, type State, type Terms } from './state.ts';

/**
 * Which states what was played at once can have led to: some order of the steps gives every one of them the answer it got,
 * with what is due by itself coming in anywhere. None where no order explains the answers.
 *
 * A tick among the steps is the clock's move. The nodes learn of it one after another, so a step that takes effect after it
 * may still be judged by the time before.
 */
export function explain(
  starts: readonly State[],
  played: readonly Played[],
  terms: Terms,
): { readonly ends: readonly State[]; readonly looked: number } {
  const ends = new Map<string, State>();
  const seen = new Set<string>();
  for (const start of starts) visit(start, played, start.now);
  return { ends: [...ends.values()], looked: seen.size };

  function visit(state: State, left: readonly Played[], before: number): void {
    const id = createHash('sha1').update(JSON.stringify(state)).digest('base64');
    const place = `${left.map((one) => played.indexOf(one)).join()} ${before} ${id}`;
    if (seen.has(place)) return;
    seen.add(place);
    const due = dueSteps(state, terms);
    if (left.length === 0 && due.length === 0) ends.set(id, state);
    // What has no rival among the steps that are left can as well happen now: its own order decides nothing.
    const free = due.find((one) => !left.some(({ asked }) => meet(state, one, asked)));
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

  function stepsOf(state: State, { asked, reported, answer }: Played, before: number): readonly State[] {
    const times = asked.kind === 'tick' ? [state.now] : [...new Set([state.now, before])];
    return times.flatMap((now) => {
      const outcome = step({ ...state, now }, asked, terms, reported);
      if (!outcome.answers.includes(answer)) return [];
      return [asked.kind === 'tick' ? outcome.state : { ...outcome.state, now: state.now }];
    });
  }
}

/** Whether it makes a difference which of the two comes first. */
function meet(state: State, due: Due, asked: Asked): boolean {
  switch (asked.kind) {
    case 'tick':
      return false;
    case 'withdraw':
      return due.origin === asked.origin;
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
      return due.records.includes(asked.withdrawal);
    case 'appeal':
    case 'resolve': {
      const charge = state.disputes[asked.dispute]?.charge ?? '';
      return due.records.includes(asked.dispute) || due.records.includes(charge);
    }
    case 'refund': {
      const { method } = state.charges[asked.charge] ?? { method: 'PIX' };
      return due.records.includes(asked.charge) || due.origin === originOf(method);
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
      return due.records.includes(asked.charge);
  }
}
