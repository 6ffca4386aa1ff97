import type { SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { CirclePlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { shortId } from '../words/format.ts';
import { NAVIGATION } from './navigation.ts';
import { SpotlightBox } from './spotlight-box.tsx';
import { UUID } from './uuid.ts';

/** Ctrl K: any screen by its name, any charge or withdrawal by its id. */
export function GoAnywhere() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const [asked, setAsked] = useState('');
  const id = asked.trim();
  const actions: SpotlightActionData[] = [];
  if (UUID.test(id)) {
    actions.push(
      {
        id: 'charge',
        label: t('nav.openCharge', { id: shortId(id) }),
        keywords: [id],
        onClick: () => void navigate({ to: '/charges/$id', params: { id } }),
      },
      {
        id: 'withdrawal',
        label: t('nav.openWithdrawal', { id: shortId(id) }),
        keywords: [id],
        onClick: () => void navigate({ to: '/withdrawals/$id', params: { id } }),
      },
    );
  }
  if (may('transactions:create')) {
    actions.push({
      id: 'new',
      label: t('nav.newCharge'),
      leftSection: <CirclePlus size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/charges/new' }),
    });
  }
  for (const { to, name, icon: Icon, needs } of NAVIGATION.flatMap(({ places }) => places)) {
    if (needs !== undefined && !may(needs)) continue;
    actions.push({
      id: to,
      label: t(`nav.${name}`),
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to }),
    });
  }
  return <SpotlightBox actions={actions} asked={asked} onAsk={setAsked} />;
}
