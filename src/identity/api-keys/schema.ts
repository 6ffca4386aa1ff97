import { Type, type Static } from 'typebox';

import { listEnvelope, nullable, Timestamp } from '#platform/http/envelope.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { ApiKey } from './store.ts';

const apiKey = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognize it by.' }),
  role: Type.Enum([...SELLER_ROLES]),
  createdAt: Timestamp,
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'Accurate to one minute.' })),
};

const ApiKeySchema = Type.Object(apiKey, { title: 'ApiKey' });

export const ApiKeyList = listEnvelope(ApiKeySchema);

export const NewApiKeyBody = Type.Object({
  name: nonEmptyString(100),
  role: Type.Optional(Type.Enum([...SELLER_ROLES], { description: 'Defaults to OWNER.' })),
});

export const NewApiKeySchema = Type.Object({
  ...apiKey,
  key: Type.String({ description: 'The API key. Shown only once; delete and replace a lost key.' }),
});

export function viewKey(key: ApiKey): Static<typeof ApiKeySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    role: key.role,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

export function viewKeys(keys: readonly ApiKey[]): Static<typeof ApiKeyList> {
  return { status: true, data: keys.map(viewKey), count: keys.length };
}
