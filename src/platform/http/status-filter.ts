import { Type } from 'typebox';

import type { Rule } from './rules.ts';
import type { CrossFieldRule } from './validation.ts';

/** The query parameter `status` of a list: one or more statuses, separated by commas. */
export function statusFilter<Status extends string>(known: readonly Status[]) {
  const names: readonly string[] = known;
  const rule: CrossFieldRule = ({ status }) => {
    if (typeof status !== 'string' || status === '') return [];
    if (status.split(',').every((name) => names.includes(name.trim()))) return [];
    const rule: Rule = `must be one of the following values: ${known.join(', ')}`;
    return [{ path: ['status'], rule, code: 'invalid_option' }];
  };
  return {
    querySchema: Type.Optional(
      Type.String({
        maxLength: 200,
        description: `One or more statuses, separated by commas: ${known.map((name) => `\`${name}\``).join(', ')}.`,
        examples: known.slice(0, 1),
      }),
    ),
    rule,
    /** The statuses of a parameter that satisfies `rule`; empty for no filter. */
    parse(status: string | undefined): readonly Status[] {
      const requested = new Set(status?.split(',').map((name) => name.trim()));
      return known.filter((one) => requested.has(one));
    },
  };
}
