import { ok } from '#platform/http/envelope.ts';

/** Examples of the OpenAPI document. A test validates each against its schema. */

const apiKey = {
  id: '01a1fb72-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  name: 'checkout server',
  prefix: 'sk_test_Zx81',
  role: 'DEVELOPER',
  createdBy: { id: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b', name: 'Dona da Loja' },
  createdAt: '2026-11-20T12:00:00.000Z',
  lastUsedAt: null,
};
export const NEW_API_KEY = { 'For a server': { name: apiKey.name, role: apiKey.role } };
/** Not a valid key: its checksum is wrong. */
export const CREATED = { 'Shown once': ok({ ...apiKey, key: `sk_test_Zx81${'0'.repeat(45)}` }) };
export const LISTED = { 'One key': { status: true, data: [apiKey], count: 1 } };
export const DELETED = { 'The id': ok({ id: apiKey.id }) };
