/** Gives the focus to the row of a record, if it is there. */
export const focusRow = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
