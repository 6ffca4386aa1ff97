import type { Data } from '../../../sdk/src/index.ts';
import { findConnection, sendJson } from '../connection.ts';
import { callAsOperator, signIn } from '../operator.ts';
import type { Context, Scenario } from './context.ts';
import { newSeller } from './sellers.ts';

/** What an applicant must state before the submission, besides a document. */
const DETAILS = {
  address: { street: 'Rua A', number: '1', city: 'Recife', state: 'PE', postalCode: '50010-000' },
  activity: 'Sample',
  expectedVolume: 5_000_000,
  bankAccount: { bank: '341', branch: '1234', account: '56789-0', type: 'CHECKING' },
};

/** Signs up a new seller, and returns its id and its owner. */
async function signUp({ options }: Context) {
  const { baseUrl } = await findConnection(options);
  const { data: settings } = await sendJson(`${baseUrl}/v1/signup`, {}, {}, 'GET');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by the API
  const { open, confirmEmail } = settings as Data<'getSignup'>;
  if (!open) throw new Error('the sign-up is closed: start the sandbox with SIGNUP=open');
  if (confirmEmail)
    throw new Error(
      'a sign-up must be confirmed by email: start the sandbox with SIGNUP_CONFIRM_EMAIL=false',
    );
  const seller = newSeller();
  const { data } = await sendJson(`${baseUrl}/v1/signup`, seller);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by the API
  const { id } = data as Data<'signUp'>;
  return { id, baseUrl, email: seller.ownerEmail, password: seller.ownerPassword };
}

const read = ({ options }: Context, id: string) =>
  callAsOperator<{ readonly id: string }>(options, `/admin/applications/${id}`, {}, 'GET');

const draft = async (context: Context) => read(context, (await signUp(context)).id);

/** Completed and submitted by its owner. */
async function submitted(context: Context) {
  const { id, baseUrl, email, password } = await signUp(context);
  const call = await signIn(baseUrl, { email, password });
  await call('/application', DETAILS, 'PATCH');
  const form = new FormData();
  form.set('file', new File(['%PDF-1.7'], 'identity.pdf', { type: 'application/pdf' }));
  await call('/application/documents?kind=IDENTITY', form);
  await call('/application/submit', {});
  return read(context, id);
}

async function decided(context: Context, action: 'ask' | 'approve' | 'reject', body: object) {
  const { id } = await submitted(context);
  return callAsOperator(context.options, `/admin/applications/${id}/${action}`, body);
}

/** Erased like one that was not completed in time. */
async function expired(context: Context) {
  const { id, email } = await signUp(context);
  await callAsOperator(context.options, '/admin/privacy/erase', { email });
  return read(context, id);
}

export const APPLICATIONS = {
  'application.draft': draft,
  'application.submitted': submitted,
  'application.question': (context) => decided(context, 'ask', { message: 'What do you sell?' }),
  'application.approved': (context) => decided(context, 'approve', {}),
  'application.rejected': (context) => decided(context, 'reject', { message: 'Sample' }),
  'application.expired': expired,
} as const satisfies Readonly<Record<string, Scenario>>;
