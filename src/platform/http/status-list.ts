import { Type } from 'typebox';

import type { CrossRule } from './validation.ts';

/** The query member `status` of a list: one status or several, separated by commas. */
export function statusList<Status extends string>(known: readonly Status[]) {
  const names: readonly string[] = known;
  const rule: CrossRule = ({ status }) => {
    if (typeof status !== 'string' || status === '') return [];
    if (status.split(',').every((name) => names.includes(name.trim()))) return [];
    return [{ path: ['status'], rule: `must be one of the following values: ${known.join(', ')}` }];
  };
  return {
    member: Type.Optional(
      Type.String({ maxLength: 200, description: 'One status or several, separated by commas.' }),
    ),
    rule,
    /** What a member that has passed the rule names; empty where it names none, and then any will do. */
    read(status: string | undefined): readonly Status[] {
      const wanted = new Set(status?.split(',').map((name) => name.trim()));
      return known.filter((one) => wanted.has(one));
    },
  };
}
