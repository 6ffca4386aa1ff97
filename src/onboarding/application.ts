import type { FileType } from '#formats/file-type.ts';
import type { Address } from '#payments/customers/customer.ts';
import type { ApplicationStatus } from './states.ts';

export const DOCUMENT_KINDS = ['IDENTITY', 'COMPANY', 'ADDRESS', 'BANK', 'OTHER'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const ACCOUNT_TYPES = ['CHECKING', 'SAVINGS', 'PAYMENT'] as const;

export interface BankAccount {
  readonly bank: string;
  readonly branch: string;
  readonly account: string;
  readonly type: (typeof ACCOUNT_TYPES)[number];
}

/** What an applicant states after the sign-up. Null until then. */
export interface ApplicationDetails {
  readonly phone: string | null;
  readonly address: Address | null;
  /** What it sells. */
  readonly activity: string | null;
  /** Cents a month. */
  readonly expectedVolume: number | null;
  readonly bankAccount: BankAccount | null;
}

export const NO_DETAILS: ApplicationDetails = {
  phone: null,
  address: null,
  activity: null,
  expectedVolume: null,
  bankAccount: null,
};

/** What a sign-up requires. */
export interface Applicant {
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
}

export interface Application extends Applicant {
  readonly sellerId: string;
  readonly status: ApplicationStatus;
  readonly encryptedDetails: string | null;
  readonly submittedAt: Date | null;
  readonly decidedAt: Date | null;
  /** When documents, messages and details were deleted. */
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A file of an application, without its content. */
export interface ApplicationDocument {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly name: string;
  readonly type: FileType;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

export interface ApplicationMessage {
  readonly id: string;
  readonly author: 'OPERATOR' | 'APPLICANT';
  readonly text: string;
  readonly createdAt: Date;
}

const REQUIRED_DETAILS = ['address', 'activity', 'expectedVolume', 'bankAccount'] as const;
const REQUIRED_ADDRESS = ['street', 'city', 'state', 'postalCode'] as const;

/** The documents that are required of a person and of a company. */
export const requiredKinds = (documentType: Applicant['documentType']): readonly DocumentKind[] =>
  documentType === 'CPF' ? ['IDENTITY'] : ['IDENTITY', 'COMPANY'];

export interface MissingParts {
  readonly details: readonly string[];
  readonly documents: readonly DocumentKind[];
}

/** What an application lacks before it can be submitted: members, and kinds of documents. */
export function missingParts(
  documentType: Applicant['documentType'],
  details: ApplicationDetails,
  documents: readonly Pick<ApplicationDocument, 'kind'>[],
): MissingParts {
  const { address } = details;
  const hasAddress = REQUIRED_ADDRESS.every((member) => (address?.[member] ?? '').trim() !== '');
  return {
    details: REQUIRED_DETAILS.filter((name) => (name === 'address' ? !hasAddress : details[name] === null)),
    documents: requiredKinds(documentType).filter((kind) => !documents.some((one) => one.kind === kind)),
  };
}
