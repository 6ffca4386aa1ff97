import i18next from 'i18next';

/** The text of a key known only at run time, such as a status of the API; undefined if unknown. */
export function findText(name: string): string | undefined {
  const found: unknown = i18next.getResource(i18next.language, 'translation', name);
  return typeof found === 'string' ? found : undefined;
}

/** Translates `Chrome on Linux`, as the API describes a browser. */
export function browserLabel(browser: string): string {
  const [name = browser, system] = browser.split(' on ');
  return system === undefined ? name : i18next.t('settings.browserOn', { name, system });
}

/** Payment method label; unknown methods are shown as they are. */
export const methodLabel = (method: string): string => findText(`method.${method}`) ?? method;
