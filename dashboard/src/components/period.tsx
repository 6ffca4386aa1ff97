import '@mantine/dates/styles.css';
import 'dayjs/locale/pt-br';

import { DatePickerInput, DatesProvider } from '@mantine/dates';
import dayjs from 'dayjs';
import { CalendarDays } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { capitalize, localDay } from '../i18n/format.ts';

const DAY_MS = 86_400_000;

/** A day in São Paulo, so many days after today. */
export const dayFromNow = (days: number): string => localDay(new Date(serverNow() + days * DAY_MS));

/** Days in São Paulo that a seller often asks for. */
function usePresets() {
  const { t } = useTranslation();
  const today = dayFromNow(0);
  const preset = (label: string, from: string, to = today) => ({
    label,
    value: [from, to] satisfies [string, string],
  });
  return [
    preset(t('period.today'), today),
    preset(t('period.yesterday'), dayFromNow(-1), dayFromNow(-1)),
    preset(t('period.days', { count: 7 }), dayFromNow(-6)),
    preset(t('period.days', { count: 30 }), dayFromNow(-29)),
    preset(t('period.month'), `${today.slice(0, 8)}01`),
  ];
}

/** How dayjs writes dates in each language. */
const FORMATS = {
  en: { locale: 'en', date: 'MMM D, YYYY', day: 'MMMM D, YYYY', month: 'MMMM YYYY' },
  pt: { locale: 'pt-br', date: 'DD/MM/YYYY', day: 'D [de] MMMM [de] YYYY', month: 'MMMM [de] YYYY' },
} as const;

function useFormats() {
  const { i18n } = useTranslation();
  return i18n.language === 'en' ? FORMATS.en : FORMATS.pt;
}

/** Names of the buttons, months and days of a calendar, as properties of its component. */
export function useCalendarNames() {
  const { t } = useTranslation();
  const { locale, day: dayFormat, month } = useFormats();
  return {
    ariaLabels: {
      previousMonth: t('period.previousMonth'),
      nextMonth: t('period.nextMonth'),
      previousYear: t('period.previousYear'),
      nextYear: t('period.nextYear'),
      previousDecade: t('period.previousYears'),
      nextDecade: t('period.nextYears'),
    },
    monthLabelFormat: (day: string) => capitalize(dayjs(day).locale(locale).format(month)),
    getDayAriaLabel: (day: string) => dayjs(day).locale(locale).format(dayFormat),
  };
}

/**
 * For `onDateChange` of a calendar with limits. The button that leads to the last month is disabled
 * there, and would lose the focus.
 */
export function keepCalendarFocus(): void {
  setTimeout(() => {
    const level = document.querySelector<HTMLElement>('.mantine-DatePickerInput-calendarHeaderLevel');
    if (document.activeElement?.matches('body, :disabled') === true) level?.focus();
  });
}

/** Calendars below follow the user's language and begin on Sunday. */
export function LocalDates({ children }: { readonly children: ReactNode }) {
  const { locale } = useFormats();
  return <DatesProvider settings={{ locale, firstDayOfWeek: 0 }}>{children}</DatesProvider>;
}

/** The format of days in a date input. */
export function useDayFormat(): string {
  return useFormats().date;
}

/** Date range filter with presets. Both days are inclusive, in São Paulo time. */
export function PeriodFilter({
  from,
  to,
  onChange,
  label,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (period: { startDate: string | undefined; endDate: string | undefined }) => void;
  /** What happened in the period, if it is not the creation. */
  readonly label?: string;
}) {
  const { t } = useTranslation();
  const presets = usePresets();
  const names = useCalendarNames();
  const valueFormat = useDayFormat();
  // A range with only one day is not applied yet.
  const [half, setHalf] = useState<string | null>(null);
  return (
    <LocalDates>
      <DatePickerInput
        type="range"
        size="xs"
        w={230}
        label={label ?? t('common.period')}
        placeholder={t('common.anyDate')}
        valueFormat={valueFormat}
        leftSection={<CalendarDays size={14} aria-hidden />}
        allowSingleDateInRange
        clearable
        clearButtonProps={{ 'aria-label': t('list.clearPeriod') }}
        presets={presets}
        {...names}
        value={half === null ? [from ?? null, to ?? null] : [half, null]}
        onChange={([start, end]) => {
          setHalf(start !== null && end === null ? start : null);
          if (start === null || end !== null) {
            onChange({ startDate: start ?? undefined, endDate: end ?? undefined });
          }
        }}
      />
    </LocalDates>
  );
}
