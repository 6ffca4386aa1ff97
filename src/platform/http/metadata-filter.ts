import { Type } from 'typebox';

/** The query parameters of a list that can be filtered by metadata. */
export const metadataQuery = {
  metadataKey: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only records whose metadata has this key.' }),
  ),
  metadataValue: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Text that the value of metadataKey contains. By default, any value. Ignored without metadataKey.',
    }),
  ),
};
