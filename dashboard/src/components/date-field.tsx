import { DatePickerInput } from '@mantine/dates';
import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';

import { keepCalendarFocus, LocalDates, useCalendarNames, useDayFormat } from './period.tsx';

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
  const names = useCalendarNames();
  const valueFormat = useDayFormat();
  return (
    <LocalDates>
      <DatePickerInput
        label={label}
        placeholder={placeholder}
        valueFormat={valueFormat}
        leftSection={<CalendarDays size={16} aria-hidden />}
        minDate={min}
        clearable
        clearButtonProps={{ 'aria-label': clear }}
        {...names}
        onDateChange={keepCalendarFocus}
        value={value}
        error={error}
        onChange={onChange}
      />
    </LocalDates>
  );
}
