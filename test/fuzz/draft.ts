import type { Operation } from './operations.ts';
import type { Random } from './random.ts';
import { hostileText, write } from './values.ts';
import type { Piece } from './wire.ts';
import type { CallerName, World } from './fixtures.ts';

/** A request while it is being built and mutated. */
export interface Draft {
  readonly random: Random;
  readonly world: World;
  operation: Operation | undefined;
  caller: CallerName;
  method: string;
  path: string;
  query: (readonly [string, string])[];
  rawQuery: string | undefined;
  headers: [string, string][];
  json: unknown;
  body: Buffer | undefined;
  framing: 'length' | 'chunked' | 'none';
  /** Replaces the request that would be built from the other fields. */
  framed: ((head: string, body: Buffer) => readonly Piece[]) | undefined;
  wellFramed: boolean;
}

export type Mutation = (draft: Draft) => false | undefined;

export function bytesOf(draft: Draft): Buffer | undefined {
  return draft.body ?? (draft.json === undefined ? undefined : Buffer.from(write(draft.json)));
}

export const wellFormed = (text: string): string => text.toWellFormed();

// oxlint-disable-next-line no-control-regex -- these are searched
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f]/g;

/**
 * A text that can stand in a header: what would end it or the request is left to the framing's own
 * mutations.
 */
export function headerText(random: Random): string {
  const text = random.chance(0.3)
    ? random.pick([
        '',
        ' ',
        random.uuid().toUpperCase(),
        `${random.uuid()} `,
        `{${random.uuid()}}`,
        random.uuid().replace('-4', '-1'),
        `${random.uuid()},${random.uuid()}`,
      ])
    : hostileText(random).slice(0, 3_000);
  return Buffer.from(text.toWellFormed()).toString('latin1').replaceAll(CONTROLS, '');
}

export function setHeader(draft: Draft, name: string, value: string): undefined {
  draft.headers = draft.headers.filter(([one]) => one !== name);
  draft.headers.push([name, value]);
}
