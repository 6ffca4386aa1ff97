import { randomInt, randomUUID } from 'node:crypto';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import type { TestGateway } from '#test/support/gateway.ts';

export const PASSWORD = 'quatro cavalos azuis dormem';

/** A seller that has signed up, and its owner. */
export interface Applicant {
  readonly id: string;
  readonly ownerId: string;
  readonly email: string;
  readonly as: CallOptions & { readonly token: string };
}

export const signUpBody = (email = `${randomUUID()}@example.com`) => ({
  name: 'Canecas',
  documentType: 'CPF',
  document: '52998224725',
  ownerName: 'Ana Souza',
  ownerEmail: email,
  ownerPassword: PASSWORD,
});

/** Everything that is required besides a document. */
export const DETAILS = {
  address: { street: 'Rua A', number: '1', city: 'Recife', state: 'PE', postalCode: '50010-000' },
  activity: 'Mugs',
  expectedVolume: 5_000_000,
  bankAccount: { bank: '341', branch: '1234', account: '56789-0', type: 'CHECKING' },
};

/** Each signs in from an address of its own, because sign-ins of an address are limited. */
const anyAddress = () => ({ 'x-forwarded-for': `10.9.${randomInt(256)}.${randomInt(256)}` });

export async function newApplicant(gateway: TestGateway, email?: string): Promise<Applicant> {
  const body = signUpBody(email);
  const none = { credential: 'none', headers: anyAddress() } as const;
  const signedUp = await gateway.post('/signup', body, none);
  if (signedUp.status !== 201) throw new Error(signedUp.text);
  const credentials = { email: body.ownerEmail, password: PASSWORD };
  const signedIn = await gateway.post('/login', credentials, none);
  const { accessToken, user } = signedIn.body;
  return {
    id: String(signedUp.body.data.id),
    ownerId: String(user.id),
    email: body.ownerEmail,
    as: { token: String(accessToken) },
  };
}

/** Uploads a small PDF. */
export async function addDocument(
  { baseUrl }: TestGateway,
  { as }: Pick<Applicant, 'as'>,
  kind: string,
  file = new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' }),
): Promise<ApiResponse> {
  const body = new FormData();
  body.set('file', file);
  const response = await fetch(`${baseUrl}/application/documents?kind=${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}` },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
