import { Type, type Static } from 'typebox';

import { FILE_EXTENSIONS } from '#formats/file-type.ts';
import { AuthorSchema } from '#platform/http/audit-actor.ts';
import { recordId, timestamp } from '#platform/http/envelope.ts';
import type { Attachment, DisputeMessage } from './store-evidence.ts';

const createdBy = { ...AuthorSchema, title: 'EvidenceAuthor', description: 'Who added it.' };

export const AttachmentSchema = Type.Object(
  {
    id: recordId('The id of the attachment.'),
    name: Type.String({ description: 'The name of the file.' }),
    contentType: Type.Enum(Object.keys(FILE_EXTENSIONS), {
      description: 'Media type, detected from the content.',
    }),
    size: Type.Integer({ description: 'Bytes.' }),
    createdBy,
    createdAt: timestamp('When it was attached.'),
  },
  { title: 'DisputeAttachment', description: "A file that supports the seller's appeal." },
);

export const MessageSchema = Type.Object(
  {
    id: recordId('The id of the message.'),
    text: Type.String({ description: 'What the seller adds to its appeal.' }),
    createdBy,
    createdAt: timestamp('When it was sent.'),
  },
  { title: 'DisputeMessage', description: 'A message that the seller adds to its appeal.' },
);

export const EvidenceSchema = Type.Object(
  {
    attachments: Type.Array(AttachmentSchema, { description: 'The files, oldest first.' }),
    messages: Type.Array(MessageSchema, { description: 'The messages, oldest first.' }),
  },
  { title: 'DisputeEvidence', description: 'What the seller has submitted in addition to its appeal.' },
);

export const viewAttachment = ({
  type: contentType,
  createdAt,
  ...attachment
}: Attachment): Static<typeof AttachmentSchema> => ({
  id: attachment.id,
  name: attachment.name,
  contentType,
  size: attachment.size,
  createdBy: attachment.createdBy,
  createdAt: createdAt.toISOString(),
});

export const viewMessage = ({ createdAt, ...message }: DisputeMessage): Static<typeof MessageSchema> => ({
  ...message,
  createdAt: createdAt.toISOString(),
});
