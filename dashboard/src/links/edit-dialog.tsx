import { Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { queryClient } from '../api/queries.ts';
import { DateField } from '../components/date-field.tsx';
import { notify } from '../components/feedback.tsx';
import { useFieldErrors } from '../components/field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { localDay } from '../i18n/format.ts';
import { toLinkChanges, type LinkEdit } from './form.ts';
import { MaxPaymentsInput } from './new-page.tsx';
import { updateLink, type PaymentLink } from './queries.ts';

/** The last day on which a link can be paid: it may expire at the end of the day. */
const dayOf = (expiresAt: string | null): string | null =>
  expiresAt === null ? null : localDay(new Date(Date.parse(expiresAt) - 1));

const editOf = (link: PaymentLink): LinkEdit => ({
  title: link.title,
  description: link.description ?? '',
  maxPayments: link.maxPayments === null ? '' : String(link.maxPayments),
  expiresAt: dayOf(link.expiresAt),
});

function useEditLink(link: PaymentLink, onClose: () => void) {
  const { t } = useTranslation();
  const [edit, setEdit] = useState(() => editOf(link));
  const mutation = useMutation({
    mutationFn: () => updateLink(link.id, toLinkChanges(edit, dayOf(link.expiresAt))),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['links'] });
      notify(t('links.saved'));
      onClose();
    },
  });
  const { errors, clear } = useFieldErrors(mutation.error, Object.keys(edit));
  const change = (changes: Partial<LinkEdit>) => {
    setEdit((before) => ({ ...before, ...changes }));
    clear(...Object.keys(changes));
  };
  return { edit, change, mutation, errors };
}

export function EditLinkDialog({
  link,
  opened,
  onClose,
}: {
  readonly link: PaymentLink;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { edit, change, mutation, errors } = useEditLink(link, onClose);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('links.editTitle')}
      action={t('common.save')}
      sending={mutation}
      errors={errors}
    >
      <Text size="sm" c="dimmed">
        {t('links.editMeans')}
      </Text>
      <TextInput
        label={t('links.name')}
        required
        withAsterisk={false}
        maxLength={255}
        value={edit.title}
        error={errors['title']}
        onChange={(event) => change({ title: event.currentTarget.value })}
        data-autofocus
      />
      <Textarea
        label={t('links.description')}
        autosize
        minRows={2}
        maxLength={1000}
        value={edit.description}
        error={errors['description']}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <MaxPaymentsInput
        value={edit.maxPayments}
        error={errors['maxPayments']}
        onChange={(maxPayments) => change({ maxPayments })}
      />
      <DateField
        label={t('links.expiresAt')}
        placeholder={t('links.noExpiry')}
        clear={t('links.clearDate')}
        min={localDay(new Date(serverNow()))}
        value={edit.expiresAt}
        error={errors['expiresAt']}
        onChange={(expiresAt) => change({ expiresAt })}
      />
    </FormDialog>
  );
}
