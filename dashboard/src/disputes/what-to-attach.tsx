import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** What decides a dispute depends on its reason. The first pattern that matches counts. */
const TEMPLATES = [
  [/not received|não receb/i, 'notReceived'],
  [/not as described|diferente|defect|defeito/i, 'notAsDescribed'],
  [/duplica/i, 'duplicate'],
  [/operational_flaw|MED_OPERACIONAL/i, 'operational'],
  [/cancel|credit not|returned|devolv/i, 'returned'],
  [/^MED:|fraud|not recogni[sz]e|unauthori[sz]ed|não reconhec/i, 'fraud'],
] as const;

/** Lists what a seller should attach to its appeal. */
export function WhatToAttach({ reason }: { readonly reason: string }): ReactNode {
  const { t } = useTranslation();
  const template = TEMPLATES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other';
  return (
    <>
      <Text size="sm">{t(`disputes.attach.${template}.title`)}</Text>
      <List size="sm" withPadding>
        {(['first', 'second', 'third'] as const).map((name) => (
          <List.Item key={name}>{t(`disputes.attach.${template}.${name}`)}</List.Item>
        ))}
      </List>
    </>
  );
}
