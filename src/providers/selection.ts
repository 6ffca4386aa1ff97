import type { Mode } from '#platform/config/settings.ts';
import type { NamedValue, SettingsReader } from '#platform/config/settings-reader.ts';
import { bacenAdapterFactory } from '#providers/bacen/adapter.ts';
import { adyenAdapterFactory } from '#providers/adyen/adapter-factory.ts';
import type { AdapterDeps, AdapterFactory, ConfiguredAdapter, ProviderAdapter } from './adapter.ts';

/** An external provider that the settings select. */
interface SelectedProvider extends ConfiguredAdapter {
  readonly name: string;
}

/** The sandbox, or external providers in order of preference. None: method unavailable. */
type ProviderSelection = 'sandbox' | readonly SelectedProvider[];

export interface ProviderSelections {
  readonly pix: ProviderSelection;
  readonly card: ProviderSelection;
}

const PIX_FACTORIES: Readonly<Record<string, AdapterFactory>> = { bacen: bacenAdapterFactory };
const CARD_FACTORIES: Readonly<Record<string, AdapterFactory>> = { adyen: adyenAdapterFactory };

export function readProviderSelections(reader: SettingsReader, mode: Mode): ProviderSelections {
  return {
    pix: readSelection(reader, 'PIX_PROVIDER', PIX_FACTORIES, mode),
    card: readSelection(reader, 'CARD_PROVIDER', CARD_FACTORIES, mode),
  };
}

/**
 * Reads a list such as `bacen,bacen2`: a kind, followed by a number if several providers of one
 * kind are used. Each has settings of its own.
 */
function readSelection(
  reader: SettingsReader,
  setting: string,
  factories: Readonly<Record<string, AdapterFactory>>,
  mode: Mode,
): ProviderSelection {
  const text = reader.text(setting);
  if (text === undefined) return mode === 'sandbox' ? mode : [];
  if (text === 'sandbox') {
    if (mode !== 'sandbox')
      reader.errors.push(`${setting} must not be sandbox outside MODE=sandbox: it moves no money`);
    return 'sandbox';
  }
  const names = text.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) {
    reader.errors.push(`${setting} must name each provider once, got ${JSON.stringify(text)}`);
    return [];
  }
  return names.flatMap((name) => {
    const kind = /^([a-z]+)([2-9]?)$/.exec(name)?.[1] ?? '';
    const factory = Object.hasOwn(factories, kind) ? factories[kind] : undefined;
    if (factory === undefined) {
      const choices = Object.keys(factories).map((kind) => `${kind}, ${kind}2`);
      const form = [...(mode === 'sandbox' ? [mode] : []), ...choices].join(', ');
      reader.errors.push(`${setting} must be one or more of ${form}, got ${JSON.stringify(name)}`);
      return [];
    }
    return [{ name, ...factory(reader, name.toUpperCase(), mode) }];
  });
}

/** The URLs that the selected providers call, by the settings that decide them. */
export const addressesOf = ({ pix, card }: ProviderSelections): readonly NamedValue[] =>
  [pix, card].flatMap((selection) =>
    selection === 'sandbox' ? [] : selection.flatMap(({ addresses }) => addresses),
  );

/** The opened providers, by payment method, in order of preference. */
export interface OpenProviders {
  readonly all: readonly ProviderAdapter[];
  readonly pix: 'sandbox' | readonly ProviderAdapter[];
  readonly card: 'sandbox' | readonly ProviderAdapter[];
}

/** The sandbox only, whatever the settings select: for commands that call no provider. */
export const SANDBOX_ONLY: OpenProviders = { all: [], pix: 'sandbox', card: 'sandbox' };

export async function openProviders(
  { pix, card }: ProviderSelections,
  deps: Omit<AdapterDeps, 'name'>,
): Promise<OpenProviders> {
  const opened = new Map<string, ProviderAdapter>();
  const open = async (selection: ProviderSelection): Promise<'sandbox' | readonly ProviderAdapter[]> => {
    if (selection === 'sandbox') return selection;
    const adapters: ProviderAdapter[] = [];
    for (const selected of selection) {
      const { name } = selected;
      const adapter = opened.get(name) ?? (await selected.open({ ...deps, name }));
      opened.set(name, adapter);
      adapters.push(adapter);
    }
    return adapters;
  };
  const openByMethod = { pix: await open(pix), card: await open(card) };
  return { ...openByMethod, all: [...opened.values()] };
}
