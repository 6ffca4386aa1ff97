import { Anchor, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { publicApi, unwrap } from '../api/client.ts';
import { isSandbox } from '../api/permissions.ts';
import { signIn, signOut } from '../api/session.ts';
import { ErrorAlert } from '../components/feedback.tsx';
import { useChecks } from '../components/field-errors.ts';
import { fieldErrors } from '../i18n/errors.ts';
import { SessionFrame } from '../session/frame.tsx';
import { NewPasswordInput } from '../session/inputs.tsx';
import { signupSettings } from './queries.ts';

const EMPTY = { name: '', document: '', ownerName: '', ownerEmail: '', ownerPassword: '' };
type Form = typeof EMPTY;
const FIRST_STEP: readonly string[] = ['name', 'document'];

/** Applies for an account in two steps. What was typed is kept through steps and errors. */
export function SignupPage(): ReactNode {
  const { t } = useTranslation();
  const settings = useQuery(signupSettings());
  const signup = useSignup();
  const { step, setStep, isFirstStepFilled, mutation, errors } = signup;
  if (settings.data?.open === false) return <Closed />;
  if (mutation.isSuccess) return <CheckMail email={signup.form.ownerEmail.trim()} />;
  return (
    <SessionFrame
      key={step}
      title={t('onboarding.title')}
      intro={t(step === 1 ? 'onboarding.firstStep' : 'onboarding.secondStep')}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (step === 2) mutation.mutate();
          else if (isFirstStepFilled()) setStep(2);
        }}
      >
        <Stack>
          {step === 1 ? <SellerFields signup={signup} /> : <OwnerFields signup={signup} />}
          {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
          <Group grow>
            {step === 2 ? (
              <Button variant="default" onClick={() => setStep(1)}>
                {t('onboarding.back')}
              </Button>
            ) : null}
            <Button type="submit" loading={mutation.isPending}>
              {t(step === 1 ? 'onboarding.next' : 'onboarding.signUp')}
            </Button>
          </Group>
          <Text size="sm">
            {t('onboarding.hasAccount')}{' '}
            <Anchor component={Link} to="/" size="sm" underline="always">
              {t('session.submit')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </SessionFrame>
  );
}

function useSignup() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [form, setForm] = useState<Form>(EMPTY);
  const [isCompany, setCompany] = useState(true);
  const [step, setStep] = useState<1 | 2>(1);
  const mutation = useMutation({
    mutationFn: async () => {
      const body = {
        ...form,
        ownerEmail: form.ownerEmail.trim(),
        document: form.document.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase(),
        documentType: isCompany ? ('CNPJ' as const) : ('CPF' as const),
      };
      const { data } = await unwrap(publicApi.POST('/v1/signup', { body }));
      if (data.confirmEmail) return;
      // Another user may be signed in in this browser.
      await signOut();
      await signIn(body.ownerEmail, body.ownerPassword).catch(() => undefined);
      await navigate({ to: '/', replace: true });
    },
    onError: (error) => {
      const wrong = Object.keys(fieldErrors(error, Object.keys(EMPTY)));
      if (wrong.some((name) => FIRST_STEP.includes(name))) setStep(1);
    },
  });
  const change = (changes: Partial<Form>) => setForm((before) => ({ ...before, ...changes }));
  const checks = useChecks();
  const isFirstStepFilled = () =>
    checks.check({
      name: form.name.trim() === '' && t('invalid.required'),
      document: form.document.trim() === '' && t('invalid.required'),
    });
  const errors = { ...fieldErrors(mutation.error, Object.keys(EMPTY)), ...checks.errors };
  const field = (name: keyof Form) => ({
    required: true,
    withAsterisk: false,
    value: form[name],
    error: errors[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      change({ [name]: event.currentTarget.value });
      checks.clear(name);
    },
  });
  return {
    form,
    change,
    isCompany,
    setCompany,
    step,
    setStep,
    isFirstStepFilled,
    mutation,
    errors,
    field,
  };
}

type Signup = ReturnType<typeof useSignup>;

function SellerFields({ signup: { isCompany, setCompany, field } }: { readonly signup: Signup }) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        aria-label={t('onboarding.kind')}
        data={[
          { value: 'company', label: t('onboarding.company') },
          { value: 'person', label: t('onboarding.person') },
        ]}
        value={isCompany ? 'company' : 'person'}
        onChange={(kind) => setCompany(kind === 'company')}
      />
      <TextInput
        label={t(isCompany ? 'onboarding.companyName' : 'onboarding.personName')}
        autoComplete={isCompany ? 'organization' : 'name'}
        maxLength={255}
        {...field('name')}
      />
      <TextInput
        label={isCompany ? 'CNPJ' : 'CPF'}
        inputMode={isCompany ? 'text' : 'numeric'}
        autoComplete="off"
        maxLength={18}
        {...field('document')}
      />
    </>
  );
}

function OwnerFields({ signup: { form, change, errors, field } }: { readonly signup: Signup }) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('create.name')}
        description={t('onboarding.ownerHint')}
        autoComplete="name"
        maxLength={255}
        {...field('ownerName')}
      />
      <TextInput
        type="email"
        label={t('session.email')}
        autoComplete="username"
        maxLength={320}
        {...field('ownerEmail')}
      />
      <NewPasswordInput
        value={form.ownerPassword}
        error={errors['ownerPassword']}
        onPassword={(ownerPassword) => change({ ownerPassword })}
      />
    </>
  );
}

function CheckMail({ email }: { readonly email: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <SessionFrame key="sent" title={t('people.forgotSent')} intro={t('onboarding.sent', { email })}>
      {isSandbox ? <Text size="sm">{t('people.sandboxMailbox')}</Text> : null}
      <ToSignIn />
    </SessionFrame>
  );
}

function Closed(): ReactNode {
  const { t } = useTranslation();
  return (
    <SessionFrame key="closed" title={t('onboarding.title')} intro={t('apiError.signup_closed')}>
      <ToSignIn />
    </SessionFrame>
  );
}

function ToSignIn(): ReactNode {
  const { t } = useTranslation();
  return (
    <Button component={Link} to="/" variant="default">
      {t('session.title')}
    </Button>
  );
}
