import '@mantine/dates/styles.css';
import 'dayjs/locale/pt-br';

import { DatePickerInput, DatesProvider } from '@mantine/dates';
import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { keepCalendarFocus } from './period.tsx';

/** Input of a day from today on, as `YYYY-MM-DD`; null if it is empty. */
export function DateField({
  label,
  placeholder,
  clear,
  value,
  min,
  error,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  /** Label of the clear button. */
  readonly clear: string;
  readonly value: string | null;
  /** The first day that can be chosen. */
  readonly min: string;
  readonly error?: ReactNode;
  readonly onChange: (day: string | null) => void;
}) {
  const { t, i18n } = useTranslation();
  const english = i18n.language === 'en';
  return (
    <DatesProvider settings={{ locale: english ? 'en' : 'pt-br', firstDayOfWeek: 0 }}>
      <DatePickerInput
        label={label}
        placeholder={placeholder}
        valueFormat={english ? 'MMM D, YYYY' : 'DD/MM/YYYY'}
        leftSection={<CalendarDays size={16} aria-hidden />}
        minDate={min}
        clearable
        clearButtonProps={{ 'aria-label': clear }}
        previousLabel={t('common.previousMonth')}
        nextLabel={t('common.nextMonth')}
        onDateChange={keepCalendarFocus}
        value={value}
        error={error}
        onChange={onChange}
      />
    </DatesProvider>
  );
}
