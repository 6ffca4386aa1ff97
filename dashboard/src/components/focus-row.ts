/** Moves the focus to the row of a record, if shown. */
export const focusRow = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
