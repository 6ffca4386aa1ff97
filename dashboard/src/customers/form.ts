import { isDocument, readPayer } from '../charges/new-charge.ts';
import type { Customer, CustomerChanges, NewCustomer } from './queries.ts';

const ADDRESS_FIELDS = ['postalCode', 'street', 'number', 'complement', 'district', 'city', 'state'] as const;
type AddressField = (typeof ADDRESS_FIELDS)[number];

/** Form state: text as typed. */
export type CustomerForm = Record<
  'name' | 'document' | 'email' | 'phone' | 'externalRef' | AddressField,
  string
>;

/** The document is masked in what the API returns, so that it is empty until another is typed. */
export const formOf = (saved: Customer | undefined): CustomerForm => ({
  name: saved?.name ?? '',
  document: '',
  email: saved?.email ?? '',
  phone: saved?.phone ?? '',
  externalRef: saved?.externalRef ?? '',
  postalCode: saved?.address?.postalCode ?? '',
  street: saved?.address?.street ?? '',
  number: saved?.address?.number ?? '',
  complement: saved?.address?.complement ?? '',
  district: saved?.address?.district ?? '',
  city: saved?.address?.city ?? '',
  state: saved?.address?.state ?? '',
});

function addressOf(form: CustomerForm): NonNullable<NewCustomer['address']> | null {
  const filled = ADDRESS_FIELDS.flatMap((name) => {
    const typed = form[name].trim();
    return typed === '' ? [] : [[name, name === 'state' ? typed.toUpperCase() : typed] as const];
  });
  return filled.length === 0 ? null : { ...Object.fromEntries(filled), country: 'BR' };
}

const optionalMembers = (form: CustomerForm) => ({
  externalRef: form.externalRef.trim() === '' ? null : form.externalRef.trim(),
  address: addressOf(form),
});

export const toNewCustomer = (form: CustomerForm): NewCustomer => ({
  ...readPayer(form),
  ...optionalMembers(form),
});

export function toCustomerChanges(form: CustomerForm): CustomerChanges {
  const { documentType, document, ...members } = readPayer(form);
  return {
    ...members,
    ...(document === '' ? {} : { documentType, document }),
    ...optionalMembers(form),
  };
}

/** The document of an existing customer may be left empty. */
export const lacksDocument = ({ document }: CustomerForm, isNew: boolean): boolean =>
  (isNew || document.trim() !== '') && !isDocument(document);

/** Maps the paths of the API's errors to fields. */
export function customerFieldOf(path: string): string {
  return path === 'documentType' ? 'document' : path.replace(/^address\./, '');
}

export const CUSTOMER_PATHS = [
  'name',
  'document',
  'documentType',
  'email',
  'phone',
  'externalRef',
  ...ADDRESS_FIELDS.map((name) => `address.${name}`),
];
