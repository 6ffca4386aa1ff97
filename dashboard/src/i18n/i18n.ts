import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

import type { pt as operatorTexts } from '../operator/i18n/pt.ts';
import { currentLanguage, formatNumber, type Language } from './format.ts';
import type { pt } from './pt.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: 'translation';
    readonly resources: {
      readonly translation: typeof pt & { readonly operator: typeof operatorTexts };
    };
  }
}

const KEY = 'vereda-language';

/** Loads only the language in use. */
const LOADERS = {
  'pt-BR': () => import('./pt.ts').then((module) => module.pt),
  en: () => import('./en.ts').then((module) => module.en),
};

/** The saved choice, else Portuguese if the browser prefers it, else English. */
function initialLanguage(): Language {
  const saved = localStorage.getItem(KEY);
  if (saved === 'en' || saved === 'pt-BR') return saved;
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

export async function initI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'pt-BR',
    resources: {},
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.services.formatter?.add('number', (value: unknown) =>
    typeof value === 'number' ? formatNumber(value) : String(value),
  );
  setPluralRule(i18next);
  await setLanguage(initialLanguage());
}

/**
 * Brazilians write "0 pagamentos", but Intl counts zero as singular. It also has a form of its own
 * for whole millions, which no text needs.
 */
export function setPluralRule({ services }: i18n): void {
  services.pluralResolver.getSuffix = (_language: string, count: number) => (count === 1 ? '_one' : '_other');
}

type Loaders = Readonly<Record<Language, () => Promise<object>>>;
const loadedBundles = new Map<string, Loaders>();

const add = async (language: Language, name: string, loaders: Loaders) =>
  i18next.addResourceBundle(language, 'translation', { [name]: await loaders[language]() }, true, true);

/** Loads texts that only some users need, under a key of their own. */
export async function loadTexts(name: string, loaders: Loaders): Promise<void> {
  if (loadedBundles.has(name)) return;
  await add(currentLanguage(), name, loaders);
  loadedBundles.set(name, loaders);
}

/** Changes the language and saves it in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  await setLanguage(language);
  localStorage.setItem(KEY, language);
}

async function setLanguage(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await LOADERS[language]());
  await Promise.all(Array.from(loadedBundles, async ([name, loaders]) => add(language, name, loaders)));
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
