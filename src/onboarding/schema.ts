import { Type, type Static } from 'typebox';

import { FILE_EXTENSIONS } from '#formats/file-type.ts';
import { MIN_SELLER_PASSWORD_LENGTH, passwordRule } from '#identity/users/password-policy.ts';
import { emailString, NewSellerPassword } from '#identity/users/schema.ts';
import { documentRule, type DocumentRules } from '#payments/transactions/creation-schema.ts';
import { described, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nameString, nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { DOCUMENT_KINDS, missingParts, type Application, type ApplicationDocument } from './application.ts';
import type { WholeApplication } from './changes.ts';
import { detailMembers } from './details.ts';
import { APPLICATION_STATUSES } from './states.ts';

const documentType = Type.Enum(['CPF', 'CNPJ'], { description: 'CPF for a person, CNPJ for a company.' });

/** What the body of a sign-up requires. */
export const SignUpBody = (documents: DocumentRules) =>
  withCrossFieldRules(
    Type.Object(
      {
        name: nameString(255, 'Name of the seller: of the company, or of the person.'),
        documentType,
        document: Type.String({ description: '11 digits for a CPF, 14 characters for a CNPJ.' }),
        ownerName: nonEmptyString(255, "Full name of the seller's first user."),
        ownerEmail: described(emailString, 'Email address of that user, used to sign in.'),
        ownerPassword: NewSellerPassword,
      },
      { title: 'SignUpRequest' },
    ),
    [
      documentRule(null, documents),
      passwordRule('ownerPassword', MIN_SELLER_PASSWORD_LENGTH, ['name', 'ownerName', 'ownerEmail']),
    ],
  );

export const SignupSettingsSchema = Type.Object(
  {
    open: Type.Boolean({ description: 'Whether sellers can apply with `POST /v1/signup`.' }),
    confirmEmail: Type.Boolean({ description: 'Whether the email must be confirmed before the sign-in.' }),
  },
  { title: 'SignupSettings', description: 'Whether and how sellers can sign up.' },
);

export const SignedUpSchema = Type.Object(
  {
    id: recordId('The id of the seller and of its application.'),
    name: Type.String({ description: 'Name of the seller.' }),
    status: Type.Literal('PENDING', { description: 'Always PENDING: the seller has not been approved yet.' }),
    confirmEmail: Type.Boolean({
      description: 'Whether a link that was emailed must be opened before the sign-in.',
    }),
  },
  { title: 'SignUp', description: 'A sign-up. The same for an email that has an account already.' },
);

export const ConfirmedSchema = Type.Object(
  {
    id: recordId('The id of the seller and of its application.'),
    ownerEmail: Type.String({ description: 'The email that was confirmed, used to sign in.' }),
  },
  { title: 'ConfirmedSignUp', description: 'A seller whose owner can sign in.' },
);

/** The body of a change by the applicant. */
export const ApplicationChanges = Type.Object(
  {
    phone: Type.Optional(detailMembers.phone),
    address: Type.Optional(detailMembers.address),
    activity: Type.Optional(detailMembers.activity),
    expectedVolume: Type.Optional(detailMembers.expectedVolume),
    bankAccount: Type.Optional(detailMembers.bankAccount),
  },
  { title: 'ApplicationChanges' },
);

const documentKind = Type.Enum([...DOCUMENT_KINDS], {
  description:
    'IDENTITY: an identity document of the owner. COMPANY: articles of incorporation (contrato ' +
    'social). ADDRESS: a proof of address. BANK: a proof of the bank account. OTHER: anything else.',
});

export const DocumentQuery = Type.Object({ kind: documentKind });

export const ApplicationDocumentSchema = Type.Object(
  {
    id: recordId('The id of the document.'),
    kind: documentKind,
    name: Type.String({ description: 'The name of the file.' }),
    contentType: Type.Enum(Object.keys(FILE_EXTENSIONS), {
      description: 'Media type, detected from the content.',
    }),
    size: Type.Integer({ description: 'Bytes.' }),
    createdAt: timestamp('When it was uploaded.'),
  },
  { title: 'ApplicationDocument', description: 'A file of an application.' },
);

const ApplicationMessageSchema = Type.Object(
  {
    id: recordId('The id of the message.'),
    author: Type.Enum(['OPERATOR', 'APPLICANT'], { description: 'Who wrote it.' }),
    text: Type.String({ description: 'A question, an answer or the reason for a decision.' }),
    createdAt: timestamp('When it was written.'),
  },
  { title: 'ApplicationMessage', description: 'A message between the operator and the applicant.' },
);

const status = Type.Enum([...APPLICATION_STATUSES], {
  description:
    'DRAFT: the applicant has not submitted it. SUBMITTED: waits for the operator. QUESTION: waits for an ' +
    'answer from the applicant. APPROVED: the seller became ACTIVE. REJECTED. EXPIRED: it was not ' +
    'completed in time, or was erased on request.',
});

const summary = {
  id: recordId('The id of the application, which is that of its seller.'),
  sellerId: recordId('The seller.'),
  status,
  name: Type.String({ description: 'Name of the seller, as it was stated.' }),
  documentType,
  document: Type.String({ description: 'CPF or CNPJ of the seller. Masked in lists.' }),
  ownerName: Type.String({ description: "Full name of the seller's first user." }),
  ownerEmail: Type.String({ description: 'Email address of that user.' }),
  createdAt: timestamp('When the seller signed up.'),
  updatedAt: timestamp('When it was last changed.'),
  submittedAt: nullable(timestamp('When it was last submitted.')),
  decidedAt: nullable(timestamp('When it was approved or rejected.')),
};

export const ApplicationSummarySchema = Type.Object(summary, {
  title: 'ApplicationSummary',
  description: 'An application in a list.',
});

export const ApplicationSchema = Type.Object(
  {
    ...summary,
    ...detailMembers,
    missing: Type.Array(Type.String(), {
      description:
        'What it lacks before it can be submitted: fields, and documents such as `documents.IDENTITY`.',
    }),
    documents: Type.Array(ApplicationDocumentSchema, { description: 'The files, oldest first.' }),
    messages: Type.Array(ApplicationMessageSchema, { description: 'The messages, oldest first.' }),
    erasedAt: nullable(timestamp('When its documents, messages and details were deleted.')),
  },
  { title: 'Application', description: 'The application of a seller for an account.' },
);

export const ApplicationsQuery = Type.Object({
  status: Type.Optional(described(status, 'Only applications with this status.')),
  ...pageQuery,
});

export const MAX_MESSAGE_LENGTH = 2000;

export const AnswerBody = Type.Object({
  message: Type.Optional(nonEmptyString(MAX_MESSAGE_LENGTH, "An answer to the operator's question.")),
});

export const QuestionBody = Type.Object({
  message: nonEmptyString(MAX_MESSAGE_LENGTH, 'The question. It is emailed to the applicant.'),
});

export const RejectionBody = Type.Object({
  message: nonEmptyString(MAX_MESSAGE_LENGTH, 'The reason. It is emailed to the applicant.'),
});

export const viewSummary = (application: Application): Static<typeof ApplicationSummarySchema> => ({
  ...viewStated(application),
  document: maskDocument(application.documentType, application.document),
});

export const viewApplication = ({
  application,
  details,
  documents,
  messages,
}: WholeApplication): Static<typeof ApplicationSchema> => {
  const missing = missingParts(application.documentType, details, documents);
  return {
    ...viewStated(application),
    phone: details.phone,
    activity: details.activity,
    expectedVolume: details.expectedVolume,
    address: details.address && { ...details.address },
    bankAccount: details.bankAccount && { ...details.bankAccount },
    missing: [...missing.details, ...missing.documents.map((kind) => `documents.${kind}`)],
    documents: documents.map(viewDocument),
    messages: messages.map(({ createdAt, ...message }) => ({
      ...message,
      createdAt: createdAt.toISOString(),
    })),
    erasedAt: application.erasedAt?.toISOString() ?? null,
  };
};

export const viewDocument = ({
  type: contentType,
  createdAt,
  ...document
}: ApplicationDocument): Static<typeof ApplicationDocumentSchema> => ({
  ...document,
  contentType,
  createdAt: createdAt.toISOString(),
});

const viewStated = ({
  sellerId,
  status: current,
  name,
  documentType: type,
  document,
  ownerName,
  ownerEmail,
  ...times
}: Application): Static<typeof ApplicationSummarySchema> => ({
  id: sellerId,
  sellerId,
  status: current,
  name,
  documentType: type,
  document,
  ownerName,
  ownerEmail,
  createdAt: times.createdAt.toISOString(),
  updatedAt: times.updatedAt.toISOString(),
  submittedAt: times.submittedAt?.toISOString() ?? null,
  decidedAt: times.decidedAt?.toISOString() ?? null,
});
