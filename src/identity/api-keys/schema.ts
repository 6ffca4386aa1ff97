import { Type, type Static } from 'typebox';

import { listEnvelope, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { ApiKey } from './store.ts';

const apiKey = {
  id: recordId('The id of the key.'),
  name: Type.String({ description: 'Name that identifies the key for people.' }),
  prefix: Type.String({ description: 'The first characters of the key, which identify it.' }),
  role: Type.Enum([...SELLER_ROLES], { description: 'Role of the key. It limits what the key may do.' }),
  createdBy: nullable(
    Type.Object(
      {
        id: recordId('The id of the user.'),
        name: Type.String({ description: 'Name of the user when the key was created.' }),
      },
      { title: 'ApiKeyCreator', description: 'Who created the key. Null for the gateway.' },
    ),
  ),
  createdAt: timestamp('When it was created.'),
  lastUsedAt: nullable(timestamp('When it was last used, accurate to one minute; null if never.')),
};

const ApiKeySchema = Type.Object(apiKey, { title: 'ApiKey', description: 'An API key of a seller.' });

export const ApiKeyList = listEnvelope(ApiKeySchema);

export const NewApiKeyBody = Type.Object(
  {
    name: nonEmptyString(100, 'Name that identifies the key for people.'),
    role: Type.Optional(
      Type.Enum([...SELLER_ROLES], {
        description:
          "Defaults to OWNER. A seller's user with the role DEVELOPER must send DEVELOPER or VIEWER.",
      }),
    ),
  },
  { title: 'CreateApiKeyRequest' },
);

export const NewApiKeySchema = Type.Object(
  {
    ...apiKey,
    key: Type.String({
      description: 'The API key, which is shown only once. If you lose it, delete it and create another.',
    }),
  },
  { title: 'NewApiKey', description: 'An API key that was just created.' },
);

export function viewKey(key: ApiKey): Static<typeof ApiKeySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    role: key.role,
    createdBy: creatorOf(key),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

const creatorOf = ({ creatorId: id, creatorName: name }: ApiKey) =>
  id === null || name === null ? null : { id, name };

export function viewKeys(keys: readonly ApiKey[]): Static<typeof ApiKeyList> {
  return { status: true, data: keys.map(viewKey), count: keys.length };
}
