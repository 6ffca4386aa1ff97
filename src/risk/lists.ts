import { isIP } from 'node:net';

import { networkOf } from '#platform/kit/network.ts';
import type { SignalKind } from './rule.ts';

export const LIST_KINDS = [
  'blocked-documents',
  'blocked-emails',
  'blocked-cards',
  'blocked-addresses',
  'trusted-documents',
  'trusted-emails',
  'trusted-cards',
  'trusted-addresses',
] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export interface ListEntry {
  readonly id: string;
  readonly kind: ListKind;
  readonly value: string;
  readonly note: string | null;
  readonly createdAt: Date;
}

/** Entries of all lists together, which every process keeps in memory. */
export const MAX_ENTRIES = 20_000;

const PLURALS = {
  card: 'cards',
  document: 'documents',
  email: 'emails',
  address: 'addresses',
  link: undefined,
} as const;

/** The list of a kind of value; undefined for links, which have none. */
export function listOf(effect: 'blocked' | 'trusted', kind: SignalKind): ListKind | undefined {
  const plural = PLURALS[kind];
  return plural === undefined ? undefined : `${effect}-${plural}`;
}

/** Values that can be listed. */
export type ListableKind = Exclude<SignalKind, 'link'>;

export const signalKindOf = (list: ListKind): ListableKind =>
  list.endsWith('documents')
    ? 'document'
    : list.endsWith('emails')
      ? 'email'
      : list.endsWith('cards')
        ? 'card'
        : 'address';

/** The form in which values are compared. */
export function normalize(kind: SignalKind, value: string): string {
  const text = value.trim();
  switch (kind) {
    case 'document':
      return text.replaceAll(/[./\s-]/g, '').toUpperCase();
    case 'email':
      return text.toLowerCase();
    case 'card':
      return text.replaceAll(/[\s-]/g, '');
    case 'address':
      return networkOf(text);
    case 'link':
      return text;
  }
}

/** Whether a normalized value of a list is well-formed. */
export function isListable(kind: ListableKind, text: string): boolean {
  switch (kind) {
    case 'document':
      return /^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(text);
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text);
    case 'card':
      return /^\d{13,19}$/.test(text) || isFingerprint(text);
    case 'address':
      // What an IPv6 address is normalized to ends with its network.
      return isIP(text) !== 0 || isIP(`${text}::`) === 6;
  }
}

/** Whether a text is a card's fingerprint, as reviews show it, instead of its number. */
export const isFingerprint = (text: string): boolean => /^[\w.-]{20,100}$/.test(text) && !/^\d+$/.test(text);
