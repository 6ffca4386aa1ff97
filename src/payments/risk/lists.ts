import { isIP } from 'node:net';

import { maskDocument, maskIpAddress, maskPixKey } from '#platform/kit/masks.ts';
import { networkOf } from '#platform/kit/network.ts';
import type { ListKind } from './kinds.ts';
import type { SignalKind } from './rule.ts';

export interface ListEntry {
  readonly id: string;
  readonly kind: ListKind;
  /** Keyed hash of the value. */
  readonly value: string;
  /** Of the value, as operators read it. */
  readonly masked: string;
  readonly note: string | null;
  readonly createdAt: Date;
}

/** Entries of all lists together, which every process caches. */
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
  if (isFingerprint(text)) return text;
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

/** A normalized value as operators read it. */
export function mask(kind: ListableKind, text: string): string {
  switch (kind) {
    case 'document':
      return maskDocument(text.length === 11 ? 'CPF' : 'CNPJ', text);
    case 'email':
      return maskPixKey('EMAIL', text);
    case 'card':
      return `**** ${text.slice(-4)}`;
    case 'address':
      return maskIpAddress(text) ?? maskIpAddress(`${text}::`) ?? '****';
  }
}

/** Whether a normalized value of a list is well-formed, or the fingerprint of one. */
export function isListable(kind: ListableKind, text: string): boolean {
  if (isFingerprint(text)) return true;
  switch (kind) {
    case 'document':
      return /^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(text);
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text);
    case 'card':
      return /^\d{13,19}$/.test(text);
    case 'address':
      // What an IPv6 address is normalized to ends with its network.
      return isIP(text) !== 0 || isIP(`${text}::`) === 6;
  }
}

/** Whether a text is a fingerprint, as reviews and lists show it, instead of a value. */
export const isFingerprint = (text: string): boolean => /^[\w-]{8}\.[\w-]{22}$/.test(text);
