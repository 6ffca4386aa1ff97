import '@mantine/dates/styles.css';
import 'dayjs/locale/pt-br';

import { DatePickerInput, DatesProvider } from '@mantine/dates';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Date range filter. Both days are inclusive, in São Paulo time. */
export function PeriodFilter({
  from,
  to,
  onChange,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (period: { startDate: string | undefined; endDate: string | undefined }) => void;
}) {
  const { t, i18n } = useTranslation();
  const english = i18n.language === 'en';
  // A range with only one day is not applied yet.
  const [half, setHalf] = useState<string | null>(null);
  return (
    <DatesProvider settings={{ locale: english ? 'en' : 'pt-br', firstDayOfWeek: 0 }}>
      <DatePickerInput
        type="range"
        size="xs"
        w={230}
        label={t('common.period')}
        placeholder={t('common.anyDate')}
        valueFormat={english ? 'MMM D, YYYY' : 'DD/MM/YYYY'}
        leftSection={<CalendarDays size={14} aria-hidden />}
        allowSingleDateInRange
        clearable
        clearButtonProps={{ 'aria-label': t('list.clearPeriod') }}
        value={half === null ? [from ?? null, to ?? null] : [half, null]}
        onChange={([start, end]) => {
          setHalf(start !== null && end === null ? start : null);
          if (start === null || end !== null) {
            onChange({ startDate: start ?? undefined, endDate: end ?? undefined });
          }
        }}
      />
    </DatesProvider>
  );
}
